/** The search for the most objects, groups, the axis of a sweep, and levels of an octree. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

import { readTable } from '../harness/program.mjs';
import { pageTest } from '../harness/page-test.mjs';
import { pixelsChanged } from '../harness/png.mjs';
import { until } from '../harness/until.mjs';

pageTest('a search finds the most objects at 60 and at 30 frames per second', { hash: 'exp=capacity&tech=study-brute' }, async ({ page, view }) => {
  await view.runButton.click();
  await page.locator('.panel-experiments .table tbody tr').waitFor({ timeout: 240_000 });
  await page.locator('.experiment-progress').waitFor({ state: 'detached', timeout: 240_000 });
  assert.deepEqual(await page.locator('.panel-experiments .table thead th').allInnerTexts(), [
    'Technique',
    'AABB, 60 FPS',
    'AABB, 30 FPS',
    'Circle, 60 FPS',
    'Circle, 30 FPS',
  ]);
  const cells = await page.locator('.panel-experiments .table tbody td').allInnerTexts();
  const [at60 = 0, at30 = 0] = cells.map((text) => Number(text.replaceAll(',', '')));
  assert.ok(at60 >= 1 && at30 > at60, cells.join(', '));
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()]);
  const rows = readTable(await readFile(await file.path(), 'utf8'));
  assert.deepEqual([...new Set(rows.map((row) => row['case']))].sort(), ['capacity-30', 'capacity-60']);
});

pageTest('groups of objects are outlined, and a sweep shows its axis', { hash: 'n=600&t=sweep-variance' }, async ({ page, view }) => {
  await view.step();
  await view.step();
  assert.match(await view.figureText('sweep', 'now'), /^[xy]$/);
  assert.match(await view.figureText('variance', 'now'), /^x [\d,]+, y [\d,]+$/);
  await page.keyboard.press('o');
  await view.untilAnnounced('Groups drawn');
  assert.match(page.url(), /groups=1/);
  await view.technique('tree');
  await page.locator('[data-figure="sweep"]').waitFor({ state: 'detached' });
});

pageTest('objects are colored by the level of their octree cell, with the counts of each level', { hash: 't=octree-strict&n=300' }, async ({ page, view }) => {
  const plain = await view.settled();
  await page.getByLabel('Octree levels').check();
  await view.untilAnnounced('Objects colored by the level of their octree cell.');
  await view.untilPixels((picture) => pixelsChanged(picture, plain) > 1000, 'other colors');
  await view.untilAddress((address) => address.get('levels') === '1');
  const counts = async () => (await view.figureText('levels', 'now')).split(', ').map((each) => each.split(': ').map(Number));
  const levels = await until(counts, (now) => assert.ok(now.length > 2));
  assert.deepEqual(levels.map(([level]) => level), levels.map((_, place) => place));
  assert.equal(levels.reduce((sum, [, count = 0]) => sum + count, 0), 300, 'each object has a level');
  await page.locator('.stage-legend').getByText('Level 0 (root)').waitFor();

  // Of another technique without levels the overlay cannot be chosen, and its note says why.
  await view.technique('grid');
  await page.locator('[data-figure="levels"]').waitFor({ state: 'detached' });
  assert.ok(await page.getByLabel('Octree levels').isDisabled());
  await page.locator('#no-levels').waitFor();
  await view.technique('octree');
  await page.locator('[data-figure="levels"]').waitFor();
  await page.keyboard.press('l');
  await page.locator('[data-figure="levels"]').waitFor({ state: 'detached' });
});
