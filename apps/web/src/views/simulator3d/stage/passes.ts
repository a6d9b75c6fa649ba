/**
 * Which bodies are drawn filled, and which thin with their edges?
 *
 * Each is drawn once: without a GPU every corner costs time, also one that is thrown away. The corners of all bodies stay
 * where they are; which of them a pass takes is written anew when a body begins or ceases to fly.
 */
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, InterleavedBuffer, InterleavedBufferAttribute, type Object3D } from 'three';

import type { Simulator } from './engine.ts';

export interface Drawing extends Object3D {
  geometry: BufferGeometry;
}

/** First corner of its triangles, how many, first end of its edges, how many. */
const A_BODY = 4;

export class Passes {
  readonly #filled: Drawing;
  readonly #thin: Drawing;
  readonly #edges: Drawing;
  #triangles: Uint32Array = new Uint32Array();
  #ranges: Uint32Array = new Uint32Array();
  /** Of each body, as it was last drawn; none before the first picture. */
  #flies: Uint8Array | null = null;

  constructor(filled: Drawing, thin: Drawing, edges: Drawing) {
    this.#filled = filled;
    this.#thin = thin;
    this.#edges = edges;
  }

  /** There are other bodies. `whole` draw the triangles of all of them, or of one. */
  shape(simulator: Simulator, whole: readonly Drawing[]): void {
    simulator.draw();
    this.#triangles = simulator.drawnTriangles();
    this.#ranges = simulator.drawnRanges();
    this.#flies = null;
    const corners = new InterleavedBuffer(simulator.drawnVertices(), 7);
    const ends = new InterleavedBuffer(simulator.drawnEdges(), 4);
    const all = new BufferAttribute(this.#triangles, 1);
    for (const drawing of [this.#filled, this.#thin, ...whole]) {
      renew(drawing, corners, { position: [3, 0], normal: [3, 3], body: [1, 6] });
      drawing.geometry.setIndex(whole.includes(drawing) ? all : changing(this.#triangles.length));
    }
    renew(this.#edges, ends, { position: [3, 0], body: [1, 3] });
    this.#edges.geometry.setIndex(changing(ends.count));
  }

  get bodies(): number {
    return this.#ranges.length / A_BODY;
  }

  /** Where the triangles of a body begin, and how many corners they have. */
  trianglesOf(body: number): [first: number, count: number] {
    return [this.#ranges[body * A_BODY] ?? 0, this.#ranges[body * A_BODY + 1] ?? 0];
  }

  /** Whether each body flies. */
  sort(flies: Uint8Array): void {
    if (this.#flies !== null && flies.every((is, body) => is === this.#flies?.[body])) return;
    this.#flies = flies;
    const [filled, thin, edges] = [new Chosen(this.#filled), new Chosen(this.#thin), new Chosen(this.#edges)];
    for (let body = 0; body < this.bodies; body += 1) {
      const [first = 0, count = 0, end = 0, ends = 0] = this.#ranges.subarray(body * A_BODY, (body + 1) * A_BODY);
      const isThin = flies[body] === 1;
      (isThin ? thin : filled).add(this.#triangles.subarray(first, first + count));
      if (isThin) edges.addFrom(end, ends);
    }
    for (const chosen of [filled, thin, edges]) chosen.draw();
  }
}

/** The corners that a pass takes. */
class Chosen {
  readonly #drawing: Drawing;
  readonly #index: BufferAttribute;
  #count = 0;

  constructor(drawing: Drawing) {
    this.#drawing = drawing;
    this.#index = drawing.geometry.index!;
  }

  add(corners: Uint32Array): void {
    this.#index.array.set(corners, this.#count);
    this.#count += corners.length;
  }

  addFrom(first: number, count: number): void {
    for (let each = 0; each < count; each += 1) this.#index.array[this.#count + each] = first + each;
    this.#count += count;
  }

  draw(): void {
    this.#drawing.visible = this.#count > 0;
    this.#drawing.geometry.setDrawRange(0, this.#count);
    this.#index.clearUpdateRanges();
    this.#index.addUpdateRange(0, this.#count);
    this.#index.needsUpdate = this.#count > 0;
  }
}

function renew(drawing: Drawing, numbers: InterleavedBuffer, parts: Record<string, [size: number, at: number]>): void {
  drawing.geometry.dispose();
  drawing.geometry = new BufferGeometry();
  for (const [name, [size, at]] of Object.entries(parts)) {
    drawing.geometry.setAttribute(name, new InterleavedBufferAttribute(numbers, size, at));
  }
}

function changing(count: number): BufferAttribute {
  return new BufferAttribute(new Uint32Array(count), 1).setUsage(DynamicDrawUsage);
}
