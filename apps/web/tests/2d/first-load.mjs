/** What is fetched before somebody can begin, and from where? */

import assert from 'node:assert/strict';

import { promise } from '../harness/promise.mjs';
import { bytesSent } from '../harness/sent.mjs';

const MOST_BYTES = 250_000;

promise('the first load is at most 250 KB, and nothing but the server is asked', { motion: 'no-preference', hash: 'frames=1' }, async ({ page, context, view, requests, origin }, t) => {
  await view.untilFrame(30);
  const first = [...new Set(requests)].filter((url) => url.startsWith(origin));
  const sizes = await Promise.all(first.map(async (url) => /** @type {const} */ ([url, await bytesSent(url)])));
  for (const [url, bytes] of sizes) {
    t.diagnostic(`${bytes} ${new URL(url).pathname}`);
  }
  const all = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
  t.diagnostic(`${all} bytes in ${sizes.length} files`);
  assert.ok(all <= MOST_BYTES, `${all} bytes`);
  assert.ok(sizes.some(([url]) => url.endsWith('.wasm')) && sizes.some(([url]) => /worker-.*\.js$/.test(url)), 'the engine’s are among them');

  // Whatever else is done, nothing more is fetched.
  await view.run();
  await view.choose(/Experiment 1/);
  await page.getByLabel('Language').selectOption('pt-BR');
  await page.getByLabel('Tema').selectOption('light');
  assert.deepEqual([...new Set(requests)].filter((url) => !first.includes(url) && !url.startsWith('blob:')), []);
  assert.equal(context.serviceWorkers().length, 0);
  assert.deepEqual(await context.cookies(), []);
});
