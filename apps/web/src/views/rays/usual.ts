/** Which ray and which points show something of any mesh? Lengths are shares of its box. */
import type { Vector } from '../../shared/vector.ts';
import { rounded } from './digits.ts';
import type { Facts, Ray } from './protocol.ts';

export interface Usual {
  ray: Ray;
  ends: [Vector, Vector];
}

/** In digits that are a power of ten, this `unit`. */
export function usualOf({ min, max }: Facts, unit: number): Usual {
  const middle = min.map((least, axis) => (least + max[axis]!) / 2);
  const sides = min.map((least, axis) => max[axis]! - least);
  const long = Math.max(...sides);
  const origin = rounded([middle[0]! - 0.5 * sides[0]! - 0.18 * long, max[1] + 0.12 * long, middle[2]! + 0.32 * sides[2]!], unit);
  const to: Vector = [middle[0]! + 0.12 * sides[0]!, min[1] + 0.3 * sides[1]!, middle[2]! - 0.05 * sides[2]!];
  const at = (x: number, y: number, z: number): Vector =>
    rounded([x, y, z].map((share, axis) => min[axis]! + share * sides[axis]!), unit);
  return { ray: { origin, direction: wayFrom(origin, to, unit) }, ends: [at(-0.05, 0.6, 0.9), at(1.05, 0.5, 0.1)] };
}

/** From one point to another. */
export function wayFrom(origin: Vector, to: Vector, unit: number): Vector {
  return rounded(to.map((part, axis) => part - origin[axis]!), unit);
}
