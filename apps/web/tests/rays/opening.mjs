/** Opening meshes: all formats, malformed files, failures. */

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { hillsPly, TETRAHEDRA } from '../harness/meshes.mjs';
import { malformedFiles, runJson } from '../harness/program.mjs';
import { pageTest } from '../harness/page-test.mjs';
import { pixelsChanged } from '../harness/png.mjs';
import { untilTrue } from '../harness/until.mjs';

pageTest('a dropped mesh of every format is opened and drawn', { hash: 'view=rays&scene=house' }, async ({ page, viewRays }) => {
  for (const [name, text] of Object.entries(TETRAHEDRA)) {
    await viewRays.drop(name, text);
    await page.locator('#stage-title').getByText(name).waitFor();
    await viewRays.untilTriangles(4);
    await viewRays.drop(`${name}.gz`, gzipSync(text));
    await page.locator('#stage-title').getByText(`${name}.gz`).waitFor();
    await viewRays.untilTriangles(4);
  }
  const four = await viewRays.settled();
  await viewRays.open('hills.ply', hillsPly(40));
  await viewRays.untilTriangles(3200);
  await viewRays.untilPixels((picture) => pixelsChanged(picture, four) > 5000, 'the hills');
  await viewRays.untilAnnounced('hills.ply: 3,200 triangles.');
  await viewRays.untilAddress((address) => address.get('file') === 'hills.ply');
});

/**
 * A page holds less than the program, and has one file and no folder: it reports that before it
 * finds other errors.
 */
const OF_A_PAGE = [
  /, more than the \d+ that a page can hold; `embate inspect` takes it$/,
  /, buffers\[0\]: is in another file, `[^`]*`; load the mesh from its folder, or as a GLB$/,
];

pageTest('every hostile file is rejected with the error of the program, or opens as the expected mesh', { hash: 'view=rays&scene=random-high&count=300' }, async ({ page, viewRays }, t) => {
  await viewRays.allBuilt();
  const folder = await mkdtemp(join(tmpdir(), 'embate-hostile-'));
  try {
    const files = await malformedFiles(folder);
    assert.ok(files.length >= 100, `only ${files.length}`);
    let [refused, opened] = [0, 0];
    for (const { file, name, isPacked, answer, words } of files) {
      const bytes = await readFile(file);
      const path = join(folder, name);
      await import('node:fs/promises').then(({ writeFile }) => writeFile(path, isPacked ? gzipSync(bytes) : bytes));
      await page.locator('input[type=file]').setInputFiles(path);
      const problem = page.locator('.file-problem');
      const title = page.locator('#stage-title').getByText(name, { exact: true });
      await problem.or(title).first().waitFor();
      if (await problem.isVisible()) {
        refused += 1;
        const error = await problem.locator('p').innerText();
        await problem.getByRole('button').click();
        await problem.waitFor({ state: 'detached' });
        await rm(path);
        assert.ok(error.startsWith(name) && !error.includes('\n'), error);
        const isEmpty = answer === 'mesh' && words === '0';
        if (['error', 'begins'].includes(answer) && OF_A_PAGE.some((words) => words.test(error))) continue;
        if (answer === 'error') assert.equal(error, `${name}${words}`.replace(/\s+/g, ' '), name);
        else if (answer === 'begins') assert.ok(error.startsWith(`${name}${words}`.trim()), error);
        else if (isEmpty) assert.match(error, /no triangles/);
        else assert.equal(answer, 'any', `${name}: ${error}`);
      } else {
        opened += 1;
        assert.ok(answer === 'mesh' || answer === 'any', `${name} was opened, though ${answer} ${words}`);
        if (answer === 'mesh') assert.equal(await viewRays.triangles(), Number(words), name);
        await rm(path);
      }
    }
    t.diagnostic(`${refused} refused, ${opened} opened`);
  } finally {
    await rm(folder, { recursive: true });
  }
  // The page still works.
  await viewRays.open('hills.ply', hillsPly(8));
  await viewRays.untilTriangles(128);
  await viewRays.allBuilt();
});

pageTest('levels, affinity and advice equal those of embate inspect', { hash: 'view=rays&scene=random-medium&count=900&seed=4' }, async ({ page, viewRays }) => {
  const folder = await mkdtemp(join(tmpdir(), 'embate-inspect-'));
  try {
    const [file, bytes] = [join(folder, 'hills.ply'), hillsPly(60)];
    await import('node:fs/promises').then(({ writeFile }) => writeFile(file, bytes));
    const inspected = await runJson('inspect', file);
    await viewRays.open('hills.ply', bytes);
    await viewRays.untilTriangles(inspected.triangles);
    await viewRays.allBuilt();
    assert.equal(await page.locator('[data-levels]').getAttribute('data-levels'), inspected.triangles_per_level.join());
    assert.equal(await page.locator('[data-affinity]').getAttribute('data-affinity'), inspected.affinity);
    await page.locator('.panel-advisor').getByText('Fastest of brute force, octree and BVH here:').waitFor();
    // Every time of the sentence is in the table, which has the study's brute force beside its octree.
    const timeOf = (/** @type {string} */ name) => page.locator(`[data-timed=${name}] td`).last().innerText();
    const sentence = await page.locator('.panel-advisor p').innerText();
    const advised = (await page.locator('[data-advice]').getAttribute('data-advice')) ?? '';
    assert.ok(sentence.includes(await timeOf(advised)) && sentence.includes(await timeOf('study-octree')), sentence);
    assert.match(await timeOf('study-brute'), /^[\d.,]+ (ns|µs|ms)$/);
    assert.equal(await page.locator('[data-timed]').count(), 5);
  } finally {
    await rm(folder, { recursive: true });
  }
});

pageTest('opening can be canceled, and the previous mesh stays', { hash: 'view=rays&scene=house' }, async ({ page, viewRays }) => {
  const before = await viewRays.triangles();
  // The next inspector's engine never loads, so that there is time to cancel.
  await page.route('**/*embate_web_rays*.wasm', () => undefined);
  await viewRays.open('hills.ply', hillsPly(20));
  await page.locator('.opening').getByText('Opening hills.ply').waitFor();
  await page.locator('.opening').getByRole('button', { name: 'Cancel' }).click();
  await page.locator('.opening').waitFor({ state: 'detached' });
  assert.equal(await viewRays.triangles(), before);
  await viewRays.choose('Octree');
  await untilTrue(async () => (await viewRays.steps()) > 0);
  await page.unroute('**/*embate_web_rays*.wasm');
});

pageTest('an engine that fails on a file says so, and the previous mesh stays', {
  hash: 'view=rays&scene=house',
  expectedErrors: /./,
}, async ({ page, viewRays }) => {
  const before = await viewRays.triangles();
  await page.route('**/*embate_web_rays*.wasm', (route) => route.fulfill({ status: 404, body: 'gone' }));
  await viewRays.open('hills.ply', hillsPly(20));
  await page.locator('.file-problem').getByText(/The engine failed on this file/).waitFor();
  assert.equal(await viewRays.triangles(), before);
  await page.unroute('**/*embate_web_rays*.wasm');
  await viewRays.open('hills.ply', hillsPly(20));
  await viewRays.untilTriangles(800);
});
