/** Opening a mesh of a million triangles while the page responds; transfer size of the view. */

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { assertResponseTime, installResponseTimer } from '../harness/response-time.mjs';
import { hillsPly } from '../harness/meshes.mjs';
import { pageTest } from '../harness/page-test.mjs';
import { totalTransferSize, wasmModules } from '../harness/transfer-size.mjs';

/** In addition to what the page has loaded before. */
const MAX_BYTES = 400_000;

/** @type {import('../harness/response-time.mjs').Control[]} */
const CONTROLS = [
  { name: 'choose a structure', watch: '#structure-title + *, .panel-structure', at: '.stage', keys: ['2', '4'] },
  { name: 'theme', watch: 'html[data-theme]', at: '.settings select:nth-of-type(2)', keys: ['ArrowDown', 'ArrowUp'] },
];

pageTest(
  'a million triangles open with progress, and meanwhile every control responds within 50 ms including paint: the median of its tries',
  { hash: 'view=rays&scene=house', before: installResponseTimer },
  async ({ page, viewRays }, t) => {
    await viewRays.allBuilt();
    const folder = await mkdtemp(join(tmpdir(), 'embate-million-'));
    try {
      const file = join(folder, 'million.ply');
      await writeFile(file, hillsPly(708));
      const began = Date.now();
      await page.locator('input[type=file]').setInputFiles(file);
      await page.locator('.opening').getByText('Opening million.ply').waitFor();
      const isThere = viewRays.untilTriangles(2 * 708 ** 2).then(() => t.diagnostic(`there after ${Date.now() - began} ms`));
      for (const control of CONTROLS) await assertResponseTime(page, { ...control, watch: control.watch === 'html[data-theme]' ? control.watch : '.panel-structure' }, async () => undefined, t);
      await isThere;
      await viewRays.built('bvh');
      await viewRays.built('study-octree');
      t.diagnostic(`the tree and the study’s octree after ${Date.now() - began} ms`);
      await viewRays.choose('Octree');
      await page.locator('.structure-note').getByText('Not built automatically').waitFor();
      await viewRays.choose('BVH');
      // A ray can be cast in it.
      await viewRays.enter('ray-origin-x', '5');
      await page.waitForFunction(() => Number(document.querySelector('[data-structure=bvh]')?.getAttribute('data-boxes')) > 0);
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);

pageTest('the view takes at most 400 KB more, from the server only', { hash: 'frames=1' }, async ({ page, viewRays, requests, origin }, t) => {
  const before = new Set(requests);
  await page.getByRole('link', { name: 'Rays and meshes' }).click();
  await viewRays.allBuilt();
  const more = [...new Set(requests)].filter((url) => url.startsWith(origin) && !before.has(url));
  const all = await totalTransferSize(more, t);
  assert.ok(all <= MAX_BYTES, `${all} bytes`);
  assert.deepEqual(wasmModules(more), ['embate_web_rays']);
});
