/** Requests of the 3D view, when it is opened and later. */

import assert from 'node:assert/strict';

import { pageTest } from '../harness/page-test.mjs';
import { totalTransferSize, wasmModules } from '../harness/transfer-size.mjs';

const MAX_BYTES = 700_000;

pageTest('the 3D view takes at most 700 KB more, and nothing further for another scene', { motion: 'no-preference' }, async ({ page, view, view3d, requests, origin }, t) => {
  await view.started();
  const before = new Set(requests);
  await page.getByRole('link', { name: '3D simulator' }).click();
  await view3d.started();
  await view3d.pastStep(120);
  const fetched = [...new Set(requests)].filter((url) => !before.has(url) && url.startsWith(origin));
  const all = await totalTransferSize(fetched, t);
  assert.ok(all <= MAX_BYTES, `${all} bytes`);
  assert.deepEqual(wasmModules(fetched), ['embate_web_simulator3d']);

  await view3d.preset('cradle');
  await view3d.pastStep(30);
  const seen = new Set([...before, ...fetched]);
  assert.deepEqual(requests.filter((url) => !seen.has(url) && url.startsWith(origin)), []);
});

pageTest('on the main thread the engine is fetched once', { hash: 'view=3d&main-thread=1' }, async ({ view3d, requests }) => {
  await view3d.started();
  assert.deepEqual(wasmModules(requests), ['embate_web_simulator3d']);
  await view3d.preset('cradle');
  await view3d.go(30);
  assert.deepEqual(wasmModules(requests), ['embate_web_simulator3d']);
});
