/** Default ray and points for any mesh, relative to its bounds. */
import type { Vector } from '../../../shared/vector.ts';
import { rounded } from './float-text.ts';
import type { MeshFacts, Ray } from '../workers/protocol.ts';

type Bounds = Pick<MeshFacts, 'min' | 'max'>;

/**
 * A ray into the bounds from above, rounded to multiples of `unit`, a power of ten. It may miss the
 * mesh: `aimed` corrects it.
 */
export function defaultRayOf({ min, max }: Bounds, unit: number): Ray {
  const middle = min.map((least, axis) => (least + max[axis]!) / 2);
  const sides = min.map((least, axis) => max[axis]! - least);
  const long = Math.max(...sides);
  const origin = rounded([middle[0]! - 0.5 * sides[0]! - 0.18 * long, max[1] + 0.12 * long, middle[2]! + 0.32 * sides[2]!], unit);
  const to: Vector = [middle[0]! + 0.12 * sides[0]!, min[1] + 0.3 * sides[1]!, middle[2]! - 0.05 * sides[2]!];
  return { origin, direction: directionBetween(origin, to, unit) };
}

/** Default ends of the line of sight. */
export function defaultEndsOf({ min, max }: Bounds, unit: number): [Vector, Vector] {
  const at = (x: number, y: number, z: number): Vector =>
    rounded([x, y, z].map((share, axis) => min[axis]! + share * (max[axis]! - min[axis]!)), unit);
  return [at(-0.05, 0.6, 0.9), at(1.05, 0.5, 0.1)];
}

/** Direction from one point to another. */
export function directionBetween(origin: Vector, to: Vector, unit: number): Vector {
  return rounded(to.map((part, axis) => part - origin[axis]!), unit);
}

/** The render mesh: six numbers per vertex, position first; three indices per triangle. */
export interface Triangles {
  vertices: Float32Array;
  triangles: Uint32Array;
}

/**
 * The ray, if it hits a triangle; otherwise the ray from the same origin to the center of the
 * triangle that is nearest to its end.
 */
export function aimed(ray: Ray, mesh: Triangles, unit: number): Ray {
  const { origin, direction } = ray;
  const end = origin.map((part, axis) => part + direction[axis]!) as Vector;
  let [nearest, target] = [Infinity, -1];
  for (let triangle = 0; 3 * triangle < mesh.triangles.length; triangle += 1) {
    const corners = cornersOf(mesh, triangle);
    if (isHit(ray, corners)) return ray;
    const distance = Math.hypot(...centerOf(corners).map((part, axis) => part - end[axis]!));
    if (distance < nearest && hasArea(corners)) [nearest, target] = [distance, triangle];
  }
  if (target < 0) return ray;
  const corners = cornersOf(mesh, target);
  const center = centerOf(corners);
  const short = { origin, direction: directionBetween(origin, center, unit) };
  // On a triangle smaller than the unit, the rounded direction may miss it.
  return isHit(short, corners) ? short : { origin, direction: center.map((part, axis) => Math.fround(part - origin[axis]!)) as Vector };
}

type Corners = readonly [Vector, Vector, Vector];

function cornersOf({ vertices, triangles }: Triangles, triangle: number): Corners {
  const corner = (place: number): Vector => {
    const at = 6 * triangles[3 * triangle + place]!;
    return [vertices[at]!, vertices[at + 1]!, vertices[at + 2]!];
  };
  return [corner(0), corner(1), corner(2)];
}

function centerOf([a, b, c]: Corners): Vector {
  return a.map((part, axis) => (part + b[axis]! + c[axis]!) / 3) as Vector;
}

function hasArea([a, b, c]: Corners): boolean {
  return Math.hypot(...cross(minus(b, a), minus(c, a))) > 0;
}

/** Distance to the edges, in barycentric coordinates: on an edge, rounding decides. */
const INSIDE = 1e-3;

/** Möller, Trumbore 1997, without the edges and without hits behind the origin. */
function isHit({ origin, direction }: Ray, [a, b, c]: Corners): boolean {
  const [ab, ac, to] = [minus(b, a), minus(c, a), minus(origin, a)];
  const across = cross(direction, ac);
  const scale = 1 / dot(ab, across);
  const u = scale * dot(to, across);
  const over = cross(to, ab);
  const v = scale * dot(direction, over);
  return u > INSIDE && v > INSIDE && u + v < 1 - INSIDE && scale * dot(ac, over) > 0;
}

function minus(one: Vector, other: Vector): Vector {
  return [one[0] - other[0], one[1] - other[1], one[2] - other[2]];
}

function cross(one: Vector, other: Vector): Vector {
  return [one[1] * other[2] - one[2] * other[1], one[2] * other[0] - one[0] * other[2], one[0] * other[1] - one[1] * other[0]];
}

function dot(one: Vector, other: Vector): number {
  return one[0] * other[0] + one[1] * other[1] + one[2] * other[2];
}
