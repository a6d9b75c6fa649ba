/**
 * Capacity search: the most objects at which a frame rate holds.
 *
 * The number grows until a trial is slower, and is then bisected. The time of a frame grows at most
 * with the square of the number, so a step while all trials hold does not go far beyond the limit.
 */

import type { ExperimentCase, Measured } from './protocol.ts';

/** Frames of a trial. */
export const TRIAL_FRAMES = 20;
/** Trials of a search, about: for its progress. */
const TRIALS = 10;
/** The search ends when the slowest number that holds is this close to the least that does not. */
const RESOLUTION = 1.03;
/** Least and greatest factor from one number to the next. */
const GROWTH = [1.1, 4] as const;

/** Frames of a case; of a search, about. */
export function framesOf({ frames, fps }: ExperimentCase): number {
  return fps === undefined ? frames : TRIALS * frames;
}

/** The trial was canceled, or the engine holds no world of so many objects. */
export type Trial = Measured | 'canceled' | 'rejected';

/** The row of the most objects; null if it was canceled, or if the rate holds for no number. */
export async function mostObjects(
  start: number,
  fps: number,
  trial: (objects: number) => Promise<Trial>,
): Promise<Measured | null> {
  let held: Measured | null = null;
  let failed = Infinity;
  let isWorldFull = false;
  let objects = start;
  for (;;) {
    const row = await trial(objects);
    if (row === 'canceled') return null;
    if (row !== 'rejected' && row.fps >= fps) {
      held = row;
    } else {
      failed = objects;
      isWorldFull = row === 'rejected';
    }
    const least = held?.parameters.objects ?? 0;
    if (failed - least <= 1 || failed <= RESOLUTION * least) break;
    if (failed === Infinity) {
      const growth = Math.sqrt((held?.fps ?? fps) / fps);
      objects = Math.ceil(least * Math.min(GROWTH[1], Math.max(GROWTH[0], growth)));
    } else {
      const middle = Math.floor(Math.sqrt(Math.max(1, least) * failed));
      objects = Math.min(failed - 1, Math.max(least + 1, middle));
    }
  }
  return held === null ? null : { ...held, capacity: { fps, atLeast: isWorldFull } };
}
