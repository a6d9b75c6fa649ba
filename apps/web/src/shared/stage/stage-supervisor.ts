/**
 * Supervisor of a stage that may panic or become unresponsive.
 *
 * Posts messages to a worker; without a worker that can draw, the same stage runs on the main
 * thread. A failed stage reports its failure once and is ignored afterwards. A stage that is busy
 * with a long search is replaced when the user requests something else. The caller restores the
 * state of a new stage.
 */
import type { StartStage, Thread } from './mount-stage.ts';
import type { Failed, Runner } from './worker-or-main-thread.ts';

/** A worker that does not respond for this long is replaced: longer pauses look like a fault. */
const UNRESPONSIVE_MS = 1500;

export interface SupervisorCallbacks<From> {
  receive(reply: From | Failed): void;
  /** The last stage was unresponsive or failed to load: start a new one and restore its state. */
  replace(): void;
}

export class StageSupervisor<To, From extends { kind: string }> {
  readonly #launch: StartStage<To, From>;
  readonly #callbacks: SupervisorCallbacks<From>;
  #thread: Thread;
  #runner: Runner<To> | null = null;
  #isReady = false;
  #hasFailed = false;
  #acknowledgmentTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(launch: StartStage<To, From>, thread: Thread, callbacks: SupervisorCallbacks<From>) {
    this.#launch = launch;
    this.#thread = thread;
    this.#callbacks = callbacks;
  }

  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** It has failed and cannot be restarted: the main thread instantiates a module only once. */
  get needsReload(): boolean {
    return this.#hasFailed && this.#thread === 'page';
  }

  /** Starts a new stage without state. */
  launch(): void {
    this.dispose();
    this.#isReady = false;
    this.#hasFailed = false;
    const onLoadFailure = (): void => {
      this.#thread = 'page';
      this.#callbacks.replace();
    };
    this.#runner = this.#launch(this.#thread, (reply) => this.#receive(reply), onLoadFailure);
  }

  post(message: To): void {
    this.#runner?.post(message);
  }

  /** The last message requires a prompt response. */
  expectAcknowledgment(): void {
    clearTimeout(this.#acknowledgmentTimer);
    // A worker that is still loading is not unresponsive, and on the main thread there is no
    // worker.
    if (!this.#isReady || this.#thread === 'page') return;
    this.#acknowledgmentTimer = setTimeout(() => this.#callbacks.replace(), UNRESPONSIVE_MS);
  }

  /** The response arrived. */
  acknowledged(): void {
    clearTimeout(this.#acknowledgmentTimer);
  }

  dispose(): void {
    clearTimeout(this.#acknowledgmentTimer);
    this.#runner?.close();
    this.#runner = null;
  }

  #receive(reply: From | Failed): void {
    if (this.#hasFailed) return;
    if (reply.kind === 'ready') this.#isReady = true;
    if (reply.kind === 'failed') {
      this.#hasFailed = true;
      clearTimeout(this.#acknowledgmentTimer);
    }
    this.#callbacks.receive(reply);
  }
}
