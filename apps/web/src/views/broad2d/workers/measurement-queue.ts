/**
 * Measurement queue.
 *
 * One measurement runs at a time. A canceled one still finishes its frame; the next one starts
 * after it.
 */

import type { ToWorker } from './protocol.ts';
import type { Experiment } from './experiment.ts';

export type MeasurementRequest = Extract<ToWorker, { kind: 'measure' }>;

export interface QueueCallbacks {
  /** Creates the experiment, which is run at once; null without an engine. */
  begin(request: MeasurementRequest): Experiment | null;
  cancelled(id: number): void;
  /** The last measurement has ended. */
  ended(): void;
  failed(error: unknown): void;
}

export class MeasurementQueue {
  readonly #callbacks: QueueCallbacks;
  #running: Experiment | null = null;
  #next: MeasurementRequest | null = null;

  constructor(callbacks: QueueCallbacks) {
    this.#callbacks = callbacks;
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** A second request while one is running is canceled at once. */
  request(request: MeasurementRequest): void {
    if (this.#running === null) {
      this.#run(request);
    } else if (this.#running.cancelled && this.#next === null) {
      this.#next = request;
    } else {
      this.#callbacks.cancelled(request.id);
    }
  }

  cancel(id: number): void {
    if (this.#running?.id === id) this.#running.cancel();
    if (this.#next?.id === id) {
      this.#next = null;
      this.#callbacks.cancelled(id);
    }
  }

  cancelAll(): void {
    for (const one of [this.#running, this.#next]) {
      if (one !== null) this.cancel(one.id);
    }
  }

  #run(request: MeasurementRequest): void {
    this.#running = this.#callbacks.begin(request);
    this.#running?.run().then(
      () => this.#end(),
      (error: unknown) => this.#callbacks.failed(error),
    );
  }

  #end(): void {
    const next = this.#next;
    this.#running = null;
    this.#next = null;
    this.#callbacks.ended();
    if (next !== null) this.request(next);
  }
}
