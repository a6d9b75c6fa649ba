/** How did the last steps go? What the charts show. */
import type { Figures } from './protocol.ts';

/** As many as a chart has room for. */
const MOST = 600;

export class History {
  #moments: Figures[] = [];

  add(figures: Figures): void {
    // Whoever goes back in time sees the past again, not a knot.
    while ((this.#moments.at(-1)?.step ?? -1) >= figures.step) this.#moments.pop();
    this.#moments.push(figures);
    if (this.#moments.length > MOST) this.#moments.shift();
  }

  clear(): void {
    this.#moments = [];
  }

  /** A copy: charts compare by identity. */
  moments(): readonly Figures[] {
    return [...this.#moments];
  }
}
