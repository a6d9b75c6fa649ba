/**
 * Which bodies are drawn filled, and which thin with their edges?
 *
 * Each is drawn once: without a GPU every corner costs time, also one that is thrown away. The corners of all bodies stay
 * where they are; in which order they are taken is written anew when a body begins or ceases to fly: first all that is
 * filled, then all that is thin.
 */
import type { Simulator } from './engine.ts';

/** First corner of its triangles, how many, first end of its edges, how many. */
const A_BODY = 4;

export class Passes {
  /** In the order in which they are taken. */
  triangles: Uint32Array = new Uint32Array();
  /** So many corners of `triangles` are of filled bodies. */
  filled = 0;
  /** The first `ends` of these are the edges of what is thin. */
  edges: Uint32Array = new Uint32Array();
  ends = 0;
  /** As the engine told them, and where each body is in that. */
  #told: Uint32Array = new Uint32Array();
  #ranges: Uint32Array = new Uint32Array();
  /** Where in `triangles` each body begins. */
  #begins: Uint32Array = new Uint32Array();
  /** Of each body, as it was last drawn; none before the first picture. */
  #flies: Uint8Array | null = null;

  /** There are other bodies, with so many ends of edges. */
  shape(simulator: Pick<Simulator, 'drawnTriangles' | 'drawnRanges'>, ends: number): void {
    this.#told = simulator.drawnTriangles();
    this.#ranges = simulator.drawnRanges();
    this.#begins = new Uint32Array(this.bodies);
    this.#flies = null;
    this.triangles = new Uint32Array(this.#told.length);
    this.edges = new Uint32Array(ends);
  }

  get bodies(): number {
    return this.#ranges.length / A_BODY;
  }

  /** Where the triangles of a body begin, and how many corners they have. */
  trianglesOf(body: number): [first: number, count: number] {
    return [this.#begins[body] ?? 0, this.#ranges[body * A_BODY + 1] ?? 0];
  }

  /** Given whether each body flies. Whether anything is taken in another order than before. */
  sort(flies: Uint8Array): boolean {
    if (this.#flies !== null && flies.every((is, body) => is === this.#flies?.[body])) return false;
    this.#flies = flies;
    this.filled = this.#take(0, 0);
    this.#take(1, this.filled);
    this.ends = 0;
    for (let body = 0; body < this.bodies; body += 1) {
      const [, , first = 0, count = 0] = this.#range(body);
      if (flies[body] !== 1) continue;
      for (let end = first; end < first + count; end += 1) this.edges[this.ends++] = end;
    }
    return true;
  }

  /** Takes the triangles of all bodies that fly, or of those that do not, from this place on; returns where they end. */
  #take(flying: 0 | 1, from: number): number {
    let to = from;
    for (let body = 0; body < this.bodies; body += 1) {
      if (this.#flies?.[body] !== flying) continue;
      const [first = 0, count = 0] = this.#range(body);
      this.#begins[body] = to;
      this.triangles.set(this.#told.subarray(first, first + count), to);
      to += count;
    }
    return to;
  }

  #range(body: number): Uint32Array {
    return this.#ranges.subarray(body * A_BODY, (body + 1) * A_BODY);
  }
}
