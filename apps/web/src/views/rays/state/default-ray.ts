/** Default ray and points for any mesh, relative to its bounds. */
import type { Vector } from '../../../shared/vector.ts';
import { rounded } from './float-text.ts';
import type { MeshFacts, Ray } from '../workers/protocol.ts';

export interface DefaultRay {
  ray: Ray;
  ends: [Vector, Vector];
}

/** Rounded to multiples of `unit`, a power of ten. */
export function defaultRayOf({ min, max }: MeshFacts, unit: number): DefaultRay {
  const middle = min.map((least, axis) => (least + max[axis]!) / 2);
  const sides = min.map((least, axis) => max[axis]! - least);
  const long = Math.max(...sides);
  const origin = rounded([middle[0]! - 0.5 * sides[0]! - 0.18 * long, max[1] + 0.12 * long, middle[2]! + 0.32 * sides[2]!], unit);
  const to: Vector = [middle[0]! + 0.12 * sides[0]!, min[1] + 0.3 * sides[1]!, middle[2]! - 0.05 * sides[2]!];
  const at = (x: number, y: number, z: number): Vector =>
    rounded([x, y, z].map((share, axis) => min[axis]! + share * sides[axis]!), unit);
  return { ray: { origin, direction: directionBetween(origin, to, unit) }, ends: [at(-0.05, 0.6, 0.9), at(1.05, 0.5, 0.1)] };
}

/** Direction from one point to another. */
export function directionBetween(origin: Vector, to: Vector, unit: number): Vector {
  return rounded(to.map((part, axis) => part - origin[axis]!), unit);
}
