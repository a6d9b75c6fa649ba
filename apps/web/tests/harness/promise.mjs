/**
 * A promise of the page, tried in a window of its own.
 *
 * Whatever else a test asks: nothing was written to the console as an error, nothing was refused by the security
 * policy, nothing was thrown that nobody caught, and no request left the server.
 */

import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { closeAll, openPage } from './browser.mjs';

/** Ten times what the slowest test takes on two idle cores. */
const MOST_MS = 240_000;

after(closeAll);

/**
 * @param {string} sentence what is promised
 * @param {import('./browser.mjs').Wishes} wishes
 * @param {(opened: import('./browser.mjs').Opened, t: import('node:test').TestContext) => Promise<void>} body
 */
export function promise(sentence, wishes, body) {
  test(sentence, { timeout: MOST_MS }, async (t) => {
    const opened = await openPage(wishes);
    try {
      await body(opened, t);
      assert.deepEqual(opened.complaints, []);
    } finally {
      await opened.context.close();
    }
  });
}
