/**
 * Draw passes: which bodies are drawn filled, and which translucent with their edges.
 *
 * Each body is drawn once: without a GPU every vertex costs time, even a discarded one. The
 * vertices of all bodies stay in place; the index order is rewritten when a body starts or ends
 * free flight: first all filled bodies, then all translucent ones.
 */
import type { Simulator } from '../workers/engine.ts';

/**
 * Numbers per body: first vertex and count of its triangles, first vertex and count of its edges.
 */
const A_BODY = 4;

export class DrawPasses {
  /** In draw order. */
  triangles: Uint32Array = new Uint32Array();
  /** Number of indices in `triangles` that belong to filled bodies. */
  filled = 0;
  /** The first `ends` of these are the edges of translucent bodies. */
  edges: Uint32Array = new Uint32Array();
  ends = 0;
  /** Indices and ranges as received from the engine. */
  #received: Uint32Array = new Uint32Array();
  #ranges: Uint32Array = new Uint32Array();
  /** Start of each body in `triangles`. */
  #begins: Uint32Array = new Uint32Array();
  /** Per body, as last drawn; null before the first picture. */
  #flies: Uint8Array | null = null;

  /** Replaces the bodies; `ends` is the number of edge vertices. */
  shape(simulator: Pick<Simulator, 'meshTriangles' | 'meshRanges'>, ends: number): void {
    this.#received = simulator.meshTriangles();
    this.#ranges = simulator.meshRanges();
    this.#begins = new Uint32Array(this.bodies);
    this.#flies = null;
    this.triangles = new Uint32Array(this.#received.length);
    this.edges = new Uint32Array(ends);
  }

  get bodies(): number {
    return this.#ranges.length / A_BODY;
  }

  /** Start and number of a body's triangle vertices. */
  trianglesOf(body: number): [first: number, count: number] {
    return [this.#begins[body] ?? 0, this.#ranges[body * A_BODY + 1] ?? 0];
  }

  /** `flies` holds 1 for each free body. Returns whether the order has changed. */
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

  /** Copies the triangles of all free bodies, or of all others, to this offset; returns the end. */
  #take(flying: 0 | 1, from: number): number {
    let to = from;
    for (let body = 0; body < this.bodies; body += 1) {
      if (this.#flies?.[body] !== flying) continue;
      const [first = 0, count = 0] = this.#range(body);
      this.#begins[body] = to;
      this.triangles.set(this.#received.subarray(first, first + count), to);
      to += count;
    }
    return to;
  }

  #range(body: number): Uint32Array {
    return this.#ranges.subarray(body * A_BODY, (body + 1) * A_BODY);
  }
}
