/**
 * Who holds the mesh?
 *
 * A bench of its own for every mesh that is opened: the one before stays, and answers, until the next has opened its own. So
 * whatever a file does to its bench, what was there before is not touched; and an opening is given up by ending its bench.
 */
import { raiseAlone, type Thread } from '../../shared/stage/raise.ts';
import type { Failed, Runner } from '../../shared/stage/runners.ts';
import { BEGINS } from './bench/begins.ts';
import type { FromBench, Source, ToBench } from './protocol.ts';

/** One bench, and the end of its port that is the stage's. */
export interface Held {
  source: Source | null;
  port: MessagePort | null;
}

export interface Listener {
  /** Of the one that holds the mesh that is shown. */
  hear(said: FromBench): void;
  /** Of the one that is opening. */
  hearOpening(said: FromBench): void;
}

export class Benches {
  readonly #listener: Listener;
  #thread: Thread;
  #now: { runner: Runner<ToBench>; held: Held } | null = null;
  #next: { runner: Runner<ToBench>; held: Held } | null = null;

  constructor(thread: Thread, listener: Listener) {
    this.#thread = thread;
    this.#listener = listener;
  }

  get isOpening(): boolean {
    return this.#next !== null;
  }

  get opening(): Source | null {
    return this.#next?.held.source ?? null;
  }

  /** The page's own thread loads the engine once: after it has died there, it cannot be had anew. */
  get onPage(): boolean {
    return this.#thread === 'page';
  }

  /** A new bench, which opens this, or waits to be told. */
  begin(source: Source | null): void {
    this.giveUp();
    const held: Held = { source, port: null };
    const own = { runner: null as Runner<ToBench> | null };
    const hear = (said: FromBench | Failed): void => {
      if (own.runner === null) return;
      if (own.runner === this.#next?.runner) this.#listener.hearOpening(said);
      else if (own.runner === this.#now?.runner) this.#listener.hear(said);
    };
    const unable = (): void => {
      this.#thread = 'page';
      this.begin(held.source);
    };
    const runner = raiseAlone(BEGINS)(this.#thread, hear, unable);
    own.runner = runner;
    this.#next = { runner, held };
    held.port = this.#channel(runner);
    if (source !== null) this.open(source);
  }

  /** What the new bench waits for. */
  open(source: Source): void {
    if (this.#next === null) return;
    this.#next.held.source = source;
    this.#next.runner.post({ kind: 'open', source });
  }

  /** The new one has opened its mesh, and takes the place of the one before. */
  promote(): Held | null {
    const next = this.#next;
    if (next === null) return null;
    this.#now?.runner.close();
    this.#now = next;
    this.#next = null;
    return next.held;
  }

  giveUp(): void {
    this.#next?.runner.close();
    this.#next = null;
  }

  post(message: ToBench): void {
    this.#now?.runner.post(message);
  }

  /** Another way to a stage that was raised anew. */
  newPort(): MessagePort | null {
    return this.#now === null ? null : this.#channel(this.#now.runner);
  }

  close(): void {
    this.giveUp();
    this.#now?.runner.close();
    this.#now = null;
  }

  #channel(runner: Runner<ToBench>): MessagePort {
    const { port1, port2 } = new MessageChannel();
    runner.post({ kind: 'port', port: port1 });
    return port2;
  }
}
