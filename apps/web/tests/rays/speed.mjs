/** Is a mesh of a million triangles opened while the page answers, and is the view small enough to fetch? */

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { answersAtOnce, installStopwatch } from '../harness/answers.mjs';
import { hillsPly } from '../harness/meshes.mjs';
import { promise } from '../harness/promise.mjs';

/** Beside what the page has fetched before. */
const MOST_BYTES = 250_000;

/** @type {import('../harness/answers.mjs').Control[]} */
const CONTROLS = [
  { name: 'choose a structure', watch: '#structure-title + *, .panel-structure', at: '.stage', keys: ['2', '4'] },
  { name: 'theme', watch: 'html[data-theme]', at: '.settings select:nth-of-type(2)', keys: ['ArrowDown', 'ArrowUp'] },
];

promise(
  'a million triangles are opened with progress, and meanwhile what is pressed answers within 50 ms, painted: the median of its tries',
  { hash: 'view=rays&scene=house', before: installStopwatch },
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
      for (const control of CONTROLS) await answersAtOnce(page, { ...control, watch: control.watch === 'html[data-theme]' ? control.watch : '.panel-structure' }, async () => undefined, t);
      await isThere;
      await viewRays.built('bvh');
      await viewRays.built('study-octree');
      t.diagnostic(`the tree and the study’s octree after ${Date.now() - began} ms`);
      await viewRays.choose('Octree');
      await page.locator('.structure-note').getByText('Not built by itself').waitFor();
      await viewRays.choose('BVH');
      // A ray is answered in it.
      await viewRays.enter('ray-origin-x', '5');
      await page.waitForFunction(() => Number(document.querySelector('[data-structure=bvh]')?.getAttribute('data-boxes')) > 0);
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);

promise('the view takes at most 250 KB more, and asks nobody but the server', { hash: 'frames=1' }, async ({ page, viewRays, requests, origin }, t) => {
  const before = new Set(requests);
  await page.getByRole('link', { name: 'Rays and meshes' }).click();
  await viewRays.allBuilt();
  const more = [...new Set(requests)].filter((url) => url.startsWith(origin) && !before.has(url));
  const sizes = await Promise.all(more.map(async (url) => /** @type {const} */ ([url, await bytesOf(url)])));
  for (const [url, bytes] of sizes) t.diagnostic(`${bytes} ${new URL(url).pathname}`);
  const all = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
  t.diagnostic(`${all} bytes in ${sizes.length} files`);
  assert.ok(all <= MOST_BYTES, `${all} bytes`);
});

/**
 * What the server sends for it to a browser that can unpack, headers left out.
 *
 * @param {string} url
 * @returns {Promise<number>}
 */
function bytesOf(url) {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': 'gzip' } }, (response) => {
      let bytes = 0;
      response.on('data', (part) => (bytes += part.length));
      response.on('end', () => resolve(bytes));
    }).on('error', reject);
  });
}
