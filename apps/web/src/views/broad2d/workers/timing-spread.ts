/**
 * Spread of the times of one case: how far its mean depends on what else the machine did.
 *
 * The frames are cut into parts of equal length. The means of the parts are repeats of one
 * measurement; half of their range, relative to the mean, is the spread.
 */

/** Fewer parts miss a disturbance of a second, more parts follow single frames. */
export const PARTS = 5;

/** Relative spread, such as 0.06 for ±6%; null for fewer frames than parts. */
export function timingSpread(times: readonly number[]): number | null {
  const length = Math.floor(times.length / PARTS);
  const total = sum(times, 0, times.length);
  if (length === 0 || !(total > 0)) return null;
  const means = Array.from({ length: PARTS }, (_, part) => sum(times, part * length, (part + 1) * length) / length);
  return (Math.max(...means) - Math.min(...means)) / 2 / (total / times.length);
}

function sum(times: readonly number[], from: number, to: number): number {
  let total = 0;
  for (let at = from; at < to; at += 1) total += times[at] ?? 0;
  return total;
}
