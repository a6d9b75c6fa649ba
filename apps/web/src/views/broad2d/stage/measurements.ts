/**
 * Which measurement runs, and which one waits?
 *
 * One at a time. One that is cancelled still ends its frame; who asks for the next meanwhile need not ask
 * again, it begins after that.
 */

import type { ToWorker } from '../protocol.ts';
import type { Experiment } from './experiment.ts';

export type Wish = Extract<ToWorker, { kind: 'measure' }>;

export interface Desk {
  /** Makes the experiment of a wish, which is run at once; none where there is no engine. */
  begin(wish: Wish): Experiment | null;
  cancelled(id: number): void;
  /** None runs any more. */
  ended(): void;
  failed(error: unknown): void;
}

export class Measurements {
  readonly #desk: Desk;
  #running: Experiment | null = null;
  #next: Wish | null = null;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** A second wish beside one that runs is cancelled at once. */
  ask(wish: Wish): void {
    if (this.#running === null) {
      this.#run(wish);
    } else if (this.#running.cancelled && this.#next === null) {
      this.#next = wish;
    } else {
      this.#desk.cancelled(wish.id);
    }
  }

  cancel(id: number): void {
    if (this.#running?.id === id) this.#running.cancel();
    if (this.#next?.id === id) {
      this.#next = null;
      this.#desk.cancelled(id);
    }
  }

  cancelAll(): void {
    for (const one of [this.#running, this.#next]) {
      if (one !== null) this.cancel(one.id);
    }
  }

  #run(wish: Wish): void {
    this.#running = this.#desk.begin(wish);
    this.#running?.run().then(
      () => this.#end(),
      (error: unknown) => this.#desk.failed(error),
    );
  }

  #end(): void {
    const next = this.#next;
    this.#running = null;
    this.#next = null;
    this.#desk.ended();
    if (next !== null) this.ask(next);
  }
}
