/** What is fetched when the 3D view is opened, and what when more is asked of it? */

import assert from 'node:assert/strict';

import { promise } from '../harness/promise.mjs';
import { bytesSent } from '../harness/sent.mjs';

const MOST_BYTES = 250_000;
/** The part of the engine that the first scene does not need. */
const REST = /simulator3d_rest.*\.wasm$/;

promise('the 3D view takes at most 250 KB more, and the rest of its engine when it is missed', { motion: 'no-preference' }, async ({ page, view, view3d, requests, origin }, t) => {
  await view.started();
  const before = new Set(requests);
  await page.getByRole('link', { name: '3D simulator' }).click();
  await view3d.started();
  await view3d.pastStep(120);
  const fetched = [...new Set(requests)].filter((url) => !before.has(url) && url.startsWith(origin));
  const sizes = await Promise.all(fetched.map(async (url) => /** @type {const} */ ([url, await bytesSent(url)])));
  for (const [url, bytes] of sizes) t.diagnostic(`${bytes} ${new URL(url).pathname}`);
  const all = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
  t.diagnostic(`${all} bytes in ${sizes.length} files`);
  assert.ok(all <= MOST_BYTES, `${all} bytes`);
  assert.ok(sizes.some(([url]) => url.endsWith('.wasm')) && !sizes.some(([url]) => REST.test(url)), 'the first part of the engine is among them, alone');

  await view3d.preset('cradle');
  await view3d.pastStep(30);
  assert.equal(requests.filter((url) => REST.test(url)).length, 1);
});

promise('on the page’s own thread both parts of the engine are there from the beginning', { hash: 'view=3d&main-thread=1' }, async ({ view3d, requests }) => {
  await view3d.started();
  assert.equal(requests.filter((url) => REST.test(url)).length, 1);
  await view3d.preset('cradle');
  await view3d.go(30);
  assert.equal(requests.filter((url) => REST.test(url)).length, 1);
});
