/** Euler angles of a body in degrees: about x, then y, then z, each a world axis. */

/**
 * Gimbal lock: sine of y from which x and z are indistinguishable with seven digits of a
 * quaternion.
 */
const UPRIGHT = 1 - 1e-6;

type Quaternion = [number, number, number, number];

export function toDegrees([x, y, z, w]: readonly number[]): [number, number, number] {
  const [a = 0, b = 0, c = 0, d = 1] = [x, y, z, w];
  const sine = Math.min(1, Math.max(-1, 2 * (d * b - c * a)));
  // In gimbal lock, rotations about x and z coincide; assigned to x.
  if (Math.abs(sine) > UPRIGHT) return [degreesOf(2 * Math.atan2(a, d)), Math.sign(sine) * 90, 0];
  const turns = [
    Math.atan2(2 * (d * a + b * c), 1 - 2 * (a * a + b * b)),
    Math.asin(sine),
    Math.atan2(2 * (d * c + a * b), 1 - 2 * (b * b + c * c)),
  ];
  return turns.map(degreesOf) as [number, number, number];
}

/** In the range ±180°. */
function degreesOf(turn: number): number {
  const degrees = (turn * 180) / Math.PI;
  return degrees - 360 * Math.round(degrees / 360);
}

export function fromDegrees(degrees: readonly number[]): Quaternion {
  const halves = [0, 1, 2].map((axis) => ((degrees[axis] ?? 0) * Math.PI) / 360);
  const [cx = 1, cy = 1, cz = 1] = halves.map(Math.cos);
  const [sx = 0, sy = 0, sz = 0] = halves.map(Math.sin);
  const turn: Quaternion = [
    sx * cy * cz - cx * sy * sz,
    cx * sy * cz + sx * cy * sz,
    cx * cy * sz - sx * sy * cz,
    cx * cy * cz + sx * sy * sz,
  ];
  // Without exponents, for the scene file.
  return turn.map((part) => Number(part.toFixed(7))) as Quaternion;
}
