/** Lines and points that change every frame, in one list each. */
import type { Ink } from './ink.ts';

/** Place, colour and how far along a dashed line; below 0 for a whole one. */
export const NUMBERS_AN_END = 7;

export class LineList {
  #numbers = new Float32Array(1024 * NUMBERS_AN_END);
  #count = 0;

  /** Of ends: two a line, or one a point. */
  get count(): number {
    return this.#count;
  }

  /** `NUMBERS_AN_END` each, and room for more. */
  get numbers(): Float32Array<ArrayBuffer> {
    return this.#numbers;
  }

  clear(): void {
    this.#count = 0;
  }

  add(x: number, y: number, z: number, ink: Ink, along = -1): void {
    if ((this.#count + 1) * NUMBERS_AN_END > this.#numbers.length) {
      const larger = new Float32Array(this.#numbers.length * 2);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    const [numbers, at] = [this.#numbers, this.#count * NUMBERS_AN_END];
    numbers[at] = x;
    numbers[at + 1] = y;
    numbers[at + 2] = z;
    numbers[at + 3] = ink[0];
    numbers[at + 4] = ink[1];
    numbers[at + 5] = ink[2];
    numbers[at + 6] = along;
    this.#count += 1;
  }

  line(a: readonly number[], b: readonly number[], ink: Ink, dashed = false): void {
    const [ax = 0, ay = 0, az = 0] = a;
    const [bx = 0, by = 0, bz = 0] = b;
    this.add(ax, ay, az, ink, dashed ? 0 : -1);
    this.add(bx, by, bz, ink, dashed ? Math.hypot(bx - ax, by - ay, bz - az) : -1);
  }

  /** The twelve edges of a box. */
  box(min: readonly number[], max: readonly number[], ink: Ink, dashed = false): void {
    for (let axis = 0; axis < 3; axis += 1) {
      const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
      for (let corner = 0; corner < 4; corner += 1) {
        const from = [0, 0, 0];
        from[u] = (corner & 1 ? max[u] : min[u]) ?? 0;
        from[v] = (corner & 2 ? max[v] : min[v]) ?? 0;
        const to = [...from];
        from[axis] = min[axis] ?? 0;
        to[axis] = max[axis] ?? 0;
        this.line(from, to, ink, dashed);
      }
    }
  }

  /** A line with a head, as large as it is told. */
  arrow(from: readonly number[], by: readonly number[], ink: Ink, head: number): void {
    const [x = 0, y = 0, z = 0] = from;
    const [dx = 0, dy = 0, dz = 0] = by;
    const length = Math.hypot(dx, dy, dz);
    if (!(length > 1e-6)) return;
    const tip = [x + dx, y + dy, z + dz];
    this.line(from, tip, ink);
    const [ux, uy, uz] = [dx / length, dy / length, dz / length];
    // Two lines that are across the arrow, whatever it points to.
    const [px, py, pz] = Math.abs(uy) < 0.9 ? [-uz, 0, ux] : [0, uz, -uy];
    const wide = 0.45 * head;
    for (const side of [wide, -wide]) {
      const back = [
        tip[0]! - ux * head + px * side,
        tip[1]! - uy * head + py * side,
        tip[2]! - uz * head + pz * side,
      ];
      this.line(tip, back, ink);
    }
  }
}
