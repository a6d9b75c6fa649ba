/**
 * How does the page hold a stage that may die, or not listen?
 *
 * It carries messages to a worker; where the browser has none that can draw, the same stage runs on the page's own
 * thread. One that dies says so once, and nothing more is heard of it. One that is deep in something long makes nobody
 * wait who wants something else: it is replaced. What a new stage must be told is its holder's business.
 */
import type { Raise, Thread } from './raise.ts';
import type { Failed, Runner } from './runners.ts';

/** After this a worker that does not hear is replaced: people take longer pauses for a fault. */
const DEAF_PATIENCE_MS = 1500;

export interface Holder<Said> {
  hear(said: Said | Failed): void;
  /** The last one did not hear, or could not run: a new one is to be raised, and told what it must know. */
  replace(): void;
}

export class Hold<To, Said extends { kind: string }> {
  readonly #raise: Raise<To, Said>;
  readonly #holder: Holder<Said>;
  #thread: Thread;
  #runner: Runner<To> | null = null;
  #isReady = false;
  #hasFailed = false;
  #deafness: ReturnType<typeof setTimeout> | undefined;

  constructor(raise: Raise<To, Said>, thread: Thread, holder: Holder<Said>) {
    this.#raise = raise;
    this.#thread = thread;
    this.#holder = holder;
  }

  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** It has failed, and its engine cannot be had anew: the page's own thread loads a module once. */
  get isSpent(): boolean {
    return this.#hasFailed && this.#thread === 'page';
  }

  /** A new stage that knows nothing yet. */
  raise(): void {
    this.dispose();
    this.#isReady = false;
    this.#hasFailed = false;
    const unable = (): void => {
      this.#thread = 'page';
      this.#holder.replace();
    };
    this.#runner = this.#raise(this.#thread, (said) => this.#hear(said), unable);
  }

  post(message: To): void {
    this.#runner?.post(message);
  }

  /** What was posted last has to be heard soon. */
  expectToBeHeard(): void {
    clearTimeout(this.#deafness);
    // One that is still being fetched is not deaf, and there is none on this thread.
    if (!this.#isReady || this.#thread === 'page') return;
    this.#deafness = setTimeout(() => this.#holder.replace(), DEAF_PATIENCE_MS);
  }

  /** It was. */
  wasHeard(): void {
    clearTimeout(this.#deafness);
  }

  dispose(): void {
    clearTimeout(this.#deafness);
    this.#runner?.close();
    this.#runner = null;
  }

  #hear(said: Said | Failed): void {
    if (this.#hasFailed) return;
    if (said.kind === 'ready') this.#isReady = true;
    if (said.kind === 'failed') {
      this.#hasFailed = true;
      clearTimeout(this.#deafness);
    }
    this.#holder.hear(said);
  }
}
