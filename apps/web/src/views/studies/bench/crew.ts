/**
 * Who measures the cases of a study? Several benches, each with an engine of its own, a case at a time.
 *
 * Cases are begun in the order of the report, so that what is there when somebody stops is its beginning.
 */
import type { Runner } from '../../../shared/stage/runners.ts';
import type { FromBench, Request, ToBench } from '../protocol.ts';
import type { SetUp } from './begin.ts';

export interface Listens {
  /** So much of the case is done. */
  advanced(number: number, work: number): void;
  measured(number: number, rows: string): void;
  /** Nothing is left to do. */
  done(): void;
  /** What broke, in words. The crew is gone. */
  failed(message: string): void;
}

export class Crew {
  readonly #request: Request;
  readonly #waiting: number[];
  readonly #hears: Listens;
  readonly #benches = new Set<Runner<ToBench>>();
  /** What is being measured. */
  readonly busy = new Set<number>();

  constructor(setUp: SetUp<ToBench, FromBench>, request: Request, cases: readonly number[], workers: number, hears: Listens) {
    this.#request = request;
    this.#waiting = [...cases];
    this.#hears = hears;
    for (let number = 0; number < Math.min(workers, cases.length); number += 1) {
      const bench: Runner<ToBench> = setUp((said) => this.#hear(bench, said));
      this.#benches.add(bench);
      this.#next(bench);
    }
  }

  /** Takes all benches away; what they are measuring is lost. */
  dismiss(): void {
    this.#benches.forEach((bench) => bench.close());
    this.#benches.clear();
    this.busy.clear();
  }

  #hear(bench: Runner<ToBench>, said: FromBench): void {
    switch (said.kind) {
      case 'advanced':
        this.#hears.advanced(said.case, said.work);
        break;
      case 'measured':
        this.busy.delete(said.case);
        this.#hears.measured(said.case, said.rows);
        this.#next(bench);
        break;
      case 'failed':
        this.dismiss();
        this.#hears.failed(said.message);
        break;
    }
  }

  #next(bench: Runner<ToBench>): void {
    // Whoever heard of the last case may have dismissed everybody.
    if (!this.#benches.has(bench)) return;
    const number = this.#waiting.shift();
    if (number !== undefined) {
      this.busy.add(number);
      bench.post({ kind: 'measure', request: this.#request, case: number });
      return;
    }
    bench.close();
    this.#benches.delete(bench);
    if (this.#benches.size === 0) this.#hears.done();
  }
}
