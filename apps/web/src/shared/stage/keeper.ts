/**
 * How does a stage live with its engine, and outlive it?
 *
 * What is asked before the engine is there waits for it. Promise: whatever the engine dies of is said once, and
 * nothing is done after it.
 */

export interface Mortal {
  /** The words of a panic, after it; empty if there was none. */
  lastPanic(): string;
}

export interface Kept<Engine, Message> {
  /** The engine is there; nothing was asked of it yet. */
  begin(engine: Engine): void;
  act(message: Message): void;
  /** It is over, whoever ended it. */
  ended(): void;
  failed(message: string): void;
}

export class Keeper<Engine extends Mortal, Message> {
  readonly #kept: Kept<Engine, Message>;
  #engine: Engine | null = null;
  /** What came before the engine did. */
  #waiting: Message[] | null = [];
  #isOver = false;

  constructor(load: () => Promise<Engine>, kept: Kept<Engine, Message>) {
    this.#kept = kept;
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
    if (this.#waiting === null) this.guarded(() => this.#kept.act(message));
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
    this.#kept.failed(this.#lastWords() ?? String(error));
  }

  /** Nothing is done any more. */
  end(): void {
    this.#isOver = true;
    this.#waiting = null;
    this.#kept.ended();
  }

  #begin(engine: Engine): void {
    this.#engine = engine;
    this.#kept.begin(engine);
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    for (const message of waiting) this.guarded(() => this.#kept.act(message));
  }

  /** What the engine said before it trapped: the trap itself is only "unreachable". */
  #lastWords(): string | null {
    try {
      return this.#engine?.lastPanic() || null;
    } catch {
      return null;
    }
  }
}
