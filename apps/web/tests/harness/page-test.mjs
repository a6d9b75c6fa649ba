/**
 * Browser test of the page, in a context of its own.
 *
 * Every test also checks: no console errors, no violations of the security policy, no uncaught
 * errors, and no requests to other servers.
 */

import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { closeAll, openPage } from './browser.mjs';

/** Ten times the slowest test on two idle cores. */
const MAX_MS = 240_000;

after(closeAll);

/**
 * @param {string} name
 * @param {import('./browser.mjs').PageOptions} options
 * @param {(opened: import('./browser.mjs').Opened, t: import('node:test').TestContext) =>
 *   Promise<void>} body
 */
export function pageTest(name, options, body) {
  test(name, { timeout: MAX_MS }, async (t) => {
    const opened = await openPage(options);
    try {
      await body(opened, t);
      assert.deepEqual(opened.errors, []);
    } finally {
      await opened.context.close();
    }
  });
}
