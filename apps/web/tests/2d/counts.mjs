/** Counts of the page equal those of the program. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

import { readTable, studyRows, techniqueNames } from '../harness/program.mjs';
import { pageTest } from '../harness/page-test.mjs';

const FRAMES = 500;

for (const bounds of ['aabb', 'circle']) {
  pageTest(
    `tests and pairs of ${FRAMES} frames equal the study’s to the last digit, for every technique: ${bounds}`,
    // Cells smaller than the largest object, so that missed pairs are compared too.
    { hash: `w=800&h=600&n=300&b=${bounds}&s=5-50&v=5-50&t=study-grid&c=40&seed=20160605&frames=${FRAMES}` },
    async ({ page, view }) => {
      const names = await techniqueNames();
      await view.run();
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()]);
      const here = readTable(await readFile(await file.path(), 'utf8'));
      assert.deepEqual(here.map((row) => row['technique']).sort(), [...names].sort());

      const native = await studyRows(
        ...['--experiment', '2', '--world', '800x600', '--objects', '300', '--bounds', bounds, '--size', '5..50'],
        ...['--speed', '5..50', '--cell-size', '40', '--seeds', '1', '--seed', '20160605', '--frames', String(FRAMES)],
        ...['--technique', names.join(',')],
      );
      assert.deepEqual(counts(here), counts(native));
      assert.ok(here.some((row) => Number(row['missed_pairs']) > 0));
    },
  );
}

pageTest('the running mean is over the displayed frames', { hash: 'n=300&s=5-50&t=study-grid&c=40' }, async ({ page, view }) => {
  const sums = { tests: 0, pairs: 0, missed: 0 };
  for (let frame = 1; frame <= 5; frame += 1) {
    await view.step();
    const { tests, pairs, missed } = await view.counts();
    sums.tests += tests;
    sums.pairs += pairs;
    sums.missed += missed;
  }
  assert.equal(await page.locator('.panel-live thead th').last().innerText(), 'Mean of 5');
  for (const [name, sum] of Object.entries(sums)) {
    const shown = await view.figureText(/** @type {keyof typeof sums} */ (name), 'mean');
    assert.equal(Number(shown.replace(',', '')), Number((sum / 5).toFixed(2)), name);
  }
});

/**
 * Counts as written in the file, digit by digit.
 *
 * @param {Record<string, string>[]} rows
 */
function counts(rows) {
  const columns = ['technique', 'tests_per_frame', 'pairs_per_frame', 'missed_pairs'];
  return rows.map((row) => columns.map((column) => row[column]).join(' ')).sort();
}
