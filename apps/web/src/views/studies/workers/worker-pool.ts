/**
 * Worker pool: several measuring workers, each with its own engine, one case at a time.
 *
 * Cases are started in the order of the report, so that a stopped run holds its beginning.
 */
import type { Runner } from '../../../shared/stage/worker-or-main-thread.ts';
import type { FromMeasureWorker, Request, ToMeasureWorker } from './protocol.ts';
import type { StartWorker } from './start.ts';

export interface PoolCallbacks {
  /** Work done so far of a case. */
  advanced(number: number, work: number): void;
  measured(number: number, rows: string): void;
  /** No cases are left. */
  done(): void;
  /** Message of the failure. The pool is terminated. */
  failed(message: string): void;
}

export class WorkerPool {
  readonly #request: Request;
  readonly #waiting: number[];
  readonly #callbacks: PoolCallbacks;
  readonly #runners = new Set<Runner<ToMeasureWorker>>();
  /** Running cases. */
  readonly busy = new Set<number>();

  constructor(startWorker: StartWorker<ToMeasureWorker, FromMeasureWorker>, request: Request, cases: readonly number[], workers: number, callbacks: PoolCallbacks) {
    this.#request = request;
    this.#waiting = [...cases];
    this.#callbacks = callbacks;
    for (let number = 0; number < Math.min(workers, cases.length); number += 1) {
      const worker: Runner<ToMeasureWorker> = startWorker((reply) => this.#receive(worker, reply));
      this.#runners.add(worker);
      this.#next(worker);
    }
  }

  /** Terminates all workers; their running cases are lost. */
  dismiss(): void {
    this.#runners.forEach((worker) => worker.close());
    this.#runners.clear();
    this.busy.clear();
  }

  #receive(worker: Runner<ToMeasureWorker>, reply: FromMeasureWorker): void {
    switch (reply.kind) {
      case 'advanced':
        this.#callbacks.advanced(reply.case, reply.work);
        break;
      case 'measured':
        this.busy.delete(reply.case);
        this.#callbacks.measured(reply.case, reply.rows);
        this.#next(worker);
        break;
      case 'failed':
        this.dismiss();
        this.#callbacks.failed(reply.message);
        break;
    }
  }

  #next(worker: Runner<ToMeasureWorker>): void {
    // The callback for the last case may have terminated the pool.
    if (!this.#runners.has(worker)) return;
    const number = this.#waiting.shift();
    if (number !== undefined) {
      this.busy.add(number);
      worker.post({ kind: 'measure', request: this.#request, case: number });
      return;
    }
    worker.close();
    this.#runners.delete(worker);
    if (this.#runners.size === 0) this.#callbacks.done();
  }
}
