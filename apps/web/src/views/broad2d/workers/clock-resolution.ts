/**
 * Resolution of the browser's clock.
 *
 * Browsers round it: to 0.005 ms on a cross-origin-isolated page, to 0.1 ms or 1 ms elsewhere. A
 * search of few objects is shorter than one tick.
 */

/** A measured tick can be too long, if another task interrupts it, never too short. */
const TRIES = 5;
/** Time limit for slower clocks. */
const TIME_LIMIT_MS = 40;
/** Reads that take longer than any clock's tick. */
const MAX_READS = 4_000_000;

/** Shortest observed tick in ms. `now` is the clock. */
export function clockResolution(now: () => number = () => performance.now()): number {
  const began = now();
  let shortest = TIME_LIMIT_MS;
  for (let tried = 0; tried < TRIES && now() - began < TIME_LIMIT_MS; tried += 1) {
    const before = now();
    let after = before;
    // Reads take time too, so the loop ends; a clock that does not advance is given up.
    for (let read = 0; after === before && read < MAX_READS; read += 1) after = now();
    if (after === before) break;
    shortest = Math.min(shortest, after - before);
  }
  return shortest;
}
