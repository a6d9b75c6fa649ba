/**
 * Polling until a condition holds.
 *
 * Worker, charts and observers of the page respond asynchronously, on a busy machine with long
 * delays: tests poll for the expected state.
 */

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** Generous: waiting costs nothing, a false failure does. */
export const TIMEOUT_MS = 60_000;
const AGAIN_MS = 20;

/**
 * Polls until `holds` does not throw, and returns the value. On timeout the last error is thrown.
 *
 * @template Read
 * @param {() => Read | Promise<Read>} read
 * @param {(read: Read) => void} holds
 * @returns {Promise<Read>}
 */
export async function until(read, holds) {
  const end = Date.now() + TIMEOUT_MS;
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
