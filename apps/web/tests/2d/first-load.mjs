/** Requests of the first load. */

import assert from 'node:assert/strict';

import { pageTest } from '../harness/page-test.mjs';
import { totalTransferSize, wasmModules } from '../harness/transfer-size.mjs';

const MAX_BYTES = 250_000;

pageTest('the first load is at most 250 KB, from the server only', { motion: 'no-preference', hash: 'frames=1' }, async ({ page, context, view, requests, origin }, t) => {
  await view.untilFrame(30);
  const first = [...new Set(requests)].filter((url) => url.startsWith(origin));
  const all = await totalTransferSize(first, t);
  assert.ok(all <= MAX_BYTES, `${all} bytes`);
  assert.deepEqual(wasmModules(first), ['embate_web_broad2d']);
  assert.ok(first.some((url) => /worker-.*\.js$/.test(url)), 'the engine’s worker is among them');

  // No further requests, whatever the user does.
  await view.run();
  await view.choose(/Experiment 1/);
  await page.getByLabel('Language').selectOption('pt-BR');
  await page.getByLabel('Tema').selectOption('light');
  assert.deepEqual([...new Set(requests)].filter((url) => !first.includes(url) && !url.startsWith('blob:')), []);
  assert.equal(context.serviceWorkers().length, 0);
  assert.deepEqual(await context.cookies(), []);
});
