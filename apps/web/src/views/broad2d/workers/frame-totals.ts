/** Totals over the last frames. */

import { MEAN_FRAMES, type Sums } from './protocol.ts';

export interface Counted {
  tests: number;
  pairs: number;
  missed: number;
  ms: number;
}

/** The last frames of one technique, at most `MEAN_FRAMES`. */
export class FrameTotals {
  readonly #frames: Counted[] = [];
  #oldest = 0;

  add(frame: Counted): void {
    if (this.#frames.length < MEAN_FRAMES) {
      this.#frames.push(frame);
      return;
    }
    this.#frames[this.#oldest] = frame;
    this.#oldest = (this.#oldest + 1) % MEAN_FRAMES;
  }

  clear(): void {
    this.#frames.length = 0;
    this.#oldest = 0;
  }

  /** Summed again each time: a running sum of times would accumulate rounding errors. */
  get sums(): Sums {
    const sums: Sums = { frames: this.#frames.length, tests: 0, pairs: 0, missed: 0, ms: 0 };
    for (const frame of this.#frames) {
      sums.tests += frame.tests;
      sums.pairs += frame.pairs;
      sums.missed += frame.missed;
      sums.ms += frame.ms;
    }
    return sums;
  }
}
