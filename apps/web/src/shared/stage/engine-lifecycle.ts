/**
 * Lifecycle of a stage's engine: loading, panic, end.
 *
 * Messages that arrive before the engine is loaded are queued. A panic is reported exactly once,
 * and no further message is processed.
 */

export interface MayPanic {
  /** Message of the last panic; empty if there was none. */
  lastPanic(): string;
}

export interface LifecycleCallbacks<Engine, Message> {
  /** The engine is loaded; no message was processed yet. */
  begin(engine: Engine): void;
  act(message: Message): void;
  /** The stage has ended, by a panic or by request. */
  ended(): void;
  failed(message: string): void;
}

export class EngineLifecycle<Engine extends MayPanic, Message> {
  readonly #callbacks: LifecycleCallbacks<Engine, Message>;
  #engine: Engine | null = null;
  /** Messages queued until the engine is loaded. */
  #waiting: Message[] | null = [];
  #isOver = false;

  constructor(load: () => Promise<Engine>, callbacks: LifecycleCallbacks<Engine, Message>) {
    this.#callbacks = callbacks;
    load().then(
      (engine) => this.guarded(() => this.#begin(engine)),
      (error: unknown) => this.fail(error),
    );
  }

  get engine(): Engine | null {
    return this.#engine;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  receive(message: Message): void {
    if (this.#isOver) return;
    if (this.#waiting === null) this.guarded(() => this.#callbacks.act(message));
    else this.#waiting.push(message);
  }

  guarded(call: () => void): void {
    if (this.#isOver) return;
    try {
      call();
    } catch (error) {
      this.fail(error);
    }
  }

  fail(error: unknown): void {
    if (this.#isOver) return;
    this.end();
    this.#callbacks.failed(this.#panicMessage() ?? String(error));
  }

  /** Ends processing. */
  end(): void {
    this.#isOver = true;
    this.#waiting = null;
    this.#callbacks.ended();
  }

  #begin(engine: Engine): void {
    this.#engine = engine;
    this.#callbacks.begin(engine);
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    for (const message of waiting) this.guarded(() => this.#callbacks.act(message));
  }

  /** The panic message that precedes a trap: the trap itself only says "unreachable". */
  #panicMessage(): string | null {
    try {
      return this.#engine?.lastPanic() || null;
    } catch {
      return null;
    }
  }
}
