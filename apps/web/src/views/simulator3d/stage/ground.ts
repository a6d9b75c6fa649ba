/** Ground surfaces: half-spaces, and the bottom of the bounds. */
import type { Extent } from '../../../shared/webgl/orbit-camera.ts';
import type { Vector } from '../../../shared/vector.ts';
import type { Floor, InstanceRows } from './instance-rows.ts';

/** Width of the floor relative to the bodies on it. */
const FLOOR = 3;

/**
 * Triangle vertices. Half-spaces extend beyond the bodies on them; the bottom of the bounds has the
 * width of the bounds.
 */
export function groundTriangles({ grounds }: Pick<InstanceRows, 'grounds'>, { min, max }: Extent, floor: Floor | null): Float32Array {
  const middle = min.map((least, axis) => (least + max[axis]!) / 2) as Vector;
  const reach = 0.5 * Math.max(3, max[0] - min[0], max[2] - min[2]) * FLOOR;
  const corners: number[] = [];
  for (let at = 0; at < grounds.length; at += 6) {
    const [x = 0, y = 0, z = 0, nx = 0, ny = 0, nz = 0] = grounds.subarray(at, at + 6);
    corners.push(...square([x, y, z], [nx, ny, nz], middle, reach));
  }
  if (floor !== null && floor.area !== null && !floor.isBody) {
    const { min, max } = floor.area;
    const at = (x: number, z: number): Vector => [x, floor.height, z];
    corners.push(...halves(at(min[0], min[2]), at(max[0], min[2]), at(max[0], max[2]), at(min[0], max[2])));
  }
  return new Float32Array(corners);
}

/**
 * A square on the plane through `point`, centered near `middle`, extending `reach` to each side.
 */
function square(point: Vector, normal: Vector, middle: Vector, reach: number): number[] {
  const u = unit(cross(Math.abs(normal[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0], normal));
  const v = cross(normal, u);
  const above = normal.reduce((sum, part, axis) => sum + part * (middle[axis]! - point[axis]!), 0);
  const at = (a: number, b: number): Vector =>
    middle.map((part, axis) => part - above * normal[axis]! + reach * (a * u[axis]! + b * v[axis]!)) as Vector;
  return halves(at(-1, -1), at(1, -1), at(1, 1), at(-1, 1));
}

/** Two triangles of a quadrilateral. */
function halves(a: Vector, b: Vector, c: Vector, d: Vector): number[] {
  return [...a, ...b, ...c, ...a, ...c, ...d];
}

function cross([ax, ay, az]: Vector, [bx, by, bz]: Vector): Vector {
  return [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
}

function unit(vector: Vector): Vector {
  const length = Math.hypot(...vector);
  return vector.map((part) => part / length) as Vector;
}
