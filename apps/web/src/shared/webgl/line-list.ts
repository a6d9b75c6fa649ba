/** Lists of lines and points that change every frame. */
import type { GlColor } from './gl-color.ts';

/** Position, color and distance along a dashed line; negative for a solid one. */
export const FLOATS_PER_VERTEX = 7;

export class LineList {
  #numbers = new Float32Array(1024 * FLOATS_PER_VERTEX);
  #count = 0;

  /** Number of vertices: two per line, one per point. */
  get count(): number {
    return this.#count;
  }

  /** `FLOATS_PER_VERTEX` per vertex, and spare capacity. */
  get numbers(): Float32Array<ArrayBuffer> {
    return this.#numbers;
  }

  clear(): void {
    this.#count = 0;
  }

  add(x: number, y: number, z: number, glColor: GlColor, along = -1): void {
    if ((this.#count + 1) * FLOATS_PER_VERTEX > this.#numbers.length) {
      const larger = new Float32Array(this.#numbers.length * 2);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    const [numbers, at] = [this.#numbers, this.#count * FLOATS_PER_VERTEX];
    numbers[at] = x;
    numbers[at + 1] = y;
    numbers[at + 2] = z;
    numbers[at + 3] = glColor[0];
    numbers[at + 4] = glColor[1];
    numbers[at + 5] = glColor[2];
    numbers[at + 6] = along;
    this.#count += 1;
  }

  line(a: readonly number[], b: readonly number[], glColor: GlColor, dashed = false): void {
    const [ax = 0, ay = 0, az = 0] = a;
    const [bx = 0, by = 0, bz = 0] = b;
    this.add(ax, ay, az, glColor, dashed ? 0 : -1);
    this.add(bx, by, bz, glColor, dashed ? Math.hypot(bx - ax, by - ay, bz - az) : -1);
  }

  /** The twelve edges of a box. */
  box(min: readonly number[], max: readonly number[], glColor: GlColor, dashed = false): void {
    for (let axis = 0; axis < 3; axis += 1) {
      const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
      for (let corner = 0; corner < 4; corner += 1) {
        const from = [0, 0, 0];
        from[u] = (corner & 1 ? max[u] : min[u]) ?? 0;
        from[v] = (corner & 2 ? max[v] : min[v]) ?? 0;
        const to = [...from];
        from[axis] = min[axis] ?? 0;
        to[axis] = max[axis] ?? 0;
        this.line(from, to, glColor, dashed);
      }
    }
  }

  /** A line with an arrowhead of the given size. */
  arrow(from: readonly number[], by: readonly number[], glColor: GlColor, head: number): void {
    const [x = 0, y = 0, z = 0] = from;
    const [dx = 0, dy = 0, dz = 0] = by;
    const length = Math.hypot(dx, dy, dz);
    if (!(length > 1e-6)) return;
    const tip = [x + dx, y + dy, z + dz];
    this.line(from, tip, glColor);
    const [ux, uy, uz] = [dx / length, dy / length, dz / length];
    // Two axes orthogonal to the arrow, whatever its direction.
    const [px, py, pz] = Math.abs(uy) < 0.9 ? [-uz, 0, ux] : [0, uz, -uy];
    const wide = 0.45 * head;
    for (const side of [wide, -wide]) {
      const back = [
        tip[0]! - ux * head + px * side,
        tip[1]! - uy * head + py * side,
        tip[2]! - uz * head + pz * side,
      ];
      this.line(tip, back, glColor);
    }
  }
}
