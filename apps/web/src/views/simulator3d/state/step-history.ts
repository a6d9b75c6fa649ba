/** History of the last steps, for the charts. */
import type { Stats } from '../workers/protocol.ts';

/** As many as a chart can show. */
const MOST = 600;

export class StepHistory {
  #moments: Stats[] = [];

  add(figures: Stats): void {
    // Seeking back drops later steps.
    while ((this.#moments.at(-1)?.step ?? -1) >= figures.step) this.#moments.pop();
    this.#moments.push(figures);
    if (this.#moments.length > MOST) this.#moments.shift();
  }

  clear(): void {
    this.#moments = [];
  }

  /** A copy: charts compare by identity. */
  moments(): readonly Stats[] {
    return [...this.#moments];
  }
}
