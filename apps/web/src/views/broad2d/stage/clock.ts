/**
 * How short a time can this clock tell?
 *
 * Browsers round it: to 0.005 ms on a page that shares nothing with others, to 0.1 ms or 1 ms elsewhere.
 * A search of few objects is over before such a clock moves at all.
 */

/** A step may look longer than it is, when something else runs in between; never shorter. */
const TRIES = 5;
/** Clocks that step more slowly are not waited for. */
const PATIENCE_MS = 40;
/** As many take longer than any clock stands still. */
const MOST_READS = 4_000_000;

/** The shortest step seen, in ms. `now` is a clock. */
export function stepOfClock(now: () => number = () => performance.now()): number {
  const began = now();
  let shortest = PATIENCE_MS;
  for (let tried = 0; tried < TRIES && now() - began < PATIENCE_MS; tried += 1) {
    const before = now();
    let after = before;
    // Reading it takes time too, so this ends; a clock that stands still is given up.
    for (let read = 0; after === before && read < MOST_READS; read += 1) after = now();
    if (after === before) break;
    shortest = Math.min(shortest, after - before);
  }
  return shortest;
}
