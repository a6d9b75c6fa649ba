/**
 * When has the page done what it was asked?
 *
 * Its worker, its charts and its observers answer a little later, on a busy machine much later. Whoever asks it for something
 * and reads what came of it reads until that is there.
 */

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** Waiting costs nothing; a slow machine that is taken for a fault does. In ms. */
export const PATIENCE_MS = 60_000;
const AGAIN_MS = 20;

/**
 * Reads until this holds, and returns what was read. If it never does, it fails as the last reading does.
 *
 * @template Read
 * @param {() => Read | Promise<Read>} read
 * @param {(read: Read) => void} holds throws as long as it does not
 * @returns {Promise<Read>}
 */
export async function until(read, holds) {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const now = await read();
    try {
      holds(now);
      return now;
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await sleep(AGAIN_MS);
  }
}

/**
 * @template Read
 * @param {() => Read | Promise<Read>} read
 * @param {Read} wanted
 * @param {string} [why]
 */
export function untilEqual(read, wanted, why) {
  return until(read, (now) => assert.deepEqual(now, wanted, why));
}

/**
 * @param {() => boolean | Promise<boolean>} read
 * @param {string} [why]
 */
export function untilTrue(read, why) {
  return until(read, (now) => assert.ok(now, why));
}

/**
 * @param {() => string | Promise<string>} read
 * @param {RegExp} wanted
 * @param {string} [why]
 */
export function untilMatch(read, wanted, why) {
  return until(read, (now) => assert.match(now, wanted, why));
}
