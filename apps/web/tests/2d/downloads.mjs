/** Exported results equal the displayed ones. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

import { distinctColors, decodePng } from '../harness/png.mjs';
import { readTable } from '../harness/program.mjs';
import { pageTest } from '../harness/page-test.mjs';

const COLUMNS =
  'case,technique,bounds,objects,cell_size,frames,seed,tests_per_frame,pairs_per_frame,ms_per_frame,fps,bytes,' +
  'cells_per_object,speedup_over_brute,speedup_over_study,missed_pairs';

pageTest('a comparison is saved as CSV with the displayed numbers, and as a picture', { hash: 'n=250&seed=5&frames=7&c=30' }, async ({ page, view }) => {
  assert.ok(await page.getByRole('button', { name: 'CSV' }).isDisabled(), 'there is nothing to save yet');
  await view.run();
  const shown = await view.results();
  const { name, content } = await download(page, 'CSV');
  assert.equal(name, 'embate-compare.csv');
  await view.untilAnnounced('embate-compare.csv saved.');
  const text = content.toString('utf8');
  assert.equal(text.split('\n')[0], COLUMNS);
  const rows = readTable(text);
  assert.equal(rows.length, shown.length);
  rows.forEach((row, place) => {
    const line = shown[place] ?? {};
    assert.deepEqual([row['case'], row['objects'], row['frames'], row['seed']], ['custom', '250', '7', '5']);
    // Marked where it is below the clock's resolution.
    assert.equal(line['ms per frame']?.replace(/^≈ | ±.*$/g, ''), written(row['ms_per_frame'], 3));
    assert.equal(line['Tests per frame'], formatMean(row['tests_per_frame']));
    assert.equal(line['Missed'], row['missed_pairs']);
    assert.equal(line['FPS incl. drawing'], written(row['fps'], 0));
    assert.equal(Number.isFinite(Number(row['pairs_per_frame'])), true);
  });
  await isPicture(page, 'embate-compare.png');
});

pageTest('an experiment is saved as CSV and as a picture of its charts', { hash: 'exp=2&frames=1&tech=study-grid,sweep' }, async ({ page, view }) => {
  await view.run();
  const shown = await view.results();
  const { name, content } = await download(page, 'CSV');
  assert.equal(name, 'embate-experiment-2.csv');
  const rows = readTable(content.toString('utf8'));
  assert.equal(rows.length, 9 * 2 * 2);
  rows.forEach((row, place) => {
    const line = shown[place] ?? {};
    assert.equal(row['case'], 'experiment-2');
    assert.equal(line['Objects'], Number(row['objects']).toLocaleString('en'));
    assert.equal(line['Bounds'], row['bounds'] === 'circle' ? 'Circle' : 'AABB');
    assert.equal(row['cell_size'], row['technique'] === 'study-grid' ? '100' : '');
    assert.equal(line['Tests per frame'], formatMean(row['tests_per_frame']));
    assert.equal(line['Pairs per frame'], formatMean(row['pairs_per_frame']));
  });
  await isPicture(page, 'embate-experiment-2.png');
});

/**
 * @param {import('playwright-core').Page} page
 * @param {string} button
 */
async function download(page, button) {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: button }).click()]);
  return { name: file.suggestedFilename(), content: await readFile(await file.path()) };
}

/**
 * @param {import('playwright-core').Page} page
 * @param {string} name
 */
async function isPicture(page, name) {
  const file = await download(page, 'PNG');
  assert.equal(file.name, name);
  const picture = decodePng(file.content);
  assert.equal(picture.width, 1920);
  assert.ok(picture.height > 400);
  assert.ok(distinctColors(picture) >= 20, 'it is not blank');
}

/**
 * @param {string | undefined} number
 * @param {number} digits
 */
function written(number, digits) {
  return Number(number).toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/**
 * Means of counts have more digits the smaller they are.
 *
 * @param {string | undefined} number
 */
function formatMean(number) {
  return written(number, Number(number) >= 10_000 ? 0 : Number(number) >= 100 ? 1 : 2);
}
