/**
 * Noise of measured times.
 *
 * Two times of one run are within noise if the spreads of their cases overlap, or if they differ by
 * less than 10 %: what else the machine does changes between two cases, which the spread within a
 * case does not contain.
 */
import type { Measured } from '../../workers/protocol.ts';
import { isTimed } from './result-rows.ts';

const MIN_LEAD = 1.1;
/**
 * A larger spread is reported: an idle machine stays below it. It counts as this much, because a
 * disturbance of one part only adds time.
 */
const LARGE_SPREAD = 0.25;

export function isWithinNoise(one: Measured, other: Measured): boolean {
  const [fast, slow] = one.msPerFrame <= other.msPerFrame ? [one, other] : [other, one];
  const ends = fast.msPerFrame * (1 + noiseOf(fast));
  const begins = slow.msPerFrame * (1 - noiseOf(slow));
  return slow.msPerFrame < MIN_LEAD * fast.msPerFrame || begins <= ends;
}

function noiseOf({ spread }: Measured): number {
  return Math.min(spread ?? 0, LARGE_SPREAD);
}

export interface Ranking {
  fastest: Measured;
  /** The fastest row and those within noise of it, from fast to slow. */
  leaders: readonly Measured[];
  /** The first row that is clearly slower. */
  next: Measured | null;
}

/** Ranks the rows that miss no pair and whose times the clock resolves. */
export function rankingOf(rows: readonly Measured[]): Ranking | null {
  const byTime = rows
    .filter((row) => isTimed(row) && (row.missedPairs ?? 0) === 0)
    .toSorted((one, other) => one.msPerFrame - other.msPerFrame);
  const [fastest] = byTime;
  if (fastest === undefined) return null;
  const leaders = byTime.filter((row) => isWithinNoise(fastest, row));
  return { fastest, leaders, next: byTime.find((row) => !leaders.includes(row)) ?? null };
}

/** The row whose times vary most, if they vary too much to be compared. */
export function noisiest(rows: readonly Measured[]): Measured | null {
  const widest = rows.filter(isTimed).toSorted((one, other) => (other.spread ?? 0) - (one.spread ?? 0))[0];
  return widest !== undefined && (widest.spread ?? 0) > LARGE_SPREAD ? widest : null;
}
