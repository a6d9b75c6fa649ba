/** Progress, stop, resume and failures of a study. */

import assert from 'node:assert/strict';

import { readTable } from '../harness/program.mjs';
import { until, untilEqual, untilTrue } from '../harness/until.mjs';
import { studiesTest } from '../harness/view-studies.mjs';

const LONG = 'study=broad2d&experiment=2&objects=10,300,2000,3000&frames=80&seeds=1&tech=study-brute,study-grid,tree&workers=1';

studiesTest('a stopped study keeps its rows, and can be resumed', { hash: LONG }, async ({ page, studies }) => {
  await studies.runButton.click();
  await until(() => studies.cases(), ([done = 0]) => assert.ok(done >= 2));
  assert.ok((await page.locator('progress').evaluate((/** @type {HTMLProgressElement} */ bar) => bar.value / bar.max)) > 0);
  assert.ok(await page.locator('#sizes, #objects').first().isDisabled(), 'the form is locked while measuring');
  await studies.runButton.click();
  await studies.untilAnnounced(/Stopped\. \d+ cases of 8 are measured and kept/);
  await studies.untilResults();
  const before = (await studies.taken(/^CSV/)).text;
  const rows = readTable(before);
  assert.ok(rows.length >= 6 && rows.length < 24, `${rows.length} rows`);
  assert.match(await page.locator('.state-note').innerText(), /Stopped after \d of 8 cases/);

  await page.getByRole('button', { name: 'Resume' }).click();
  await page.locator('.study-progress').waitFor();
  await studies.untilFinished();
  await studies.untilAnnounced(/Study finished: .*, 8 cases/);
  const after = (await studies.taken(/^CSV/)).text;
  assert.equal(readTable(after).length, 24);
  assert.ok(after.startsWith(before.trimEnd().split('\n').slice(0, 4).join('\n')), 'measured rows are kept');
  const report = (await studies.taken(/^Report/)).text;
  assert.match(report, /interrupted and resumed \(times: 1\)/);
});

studiesTest('charts, tables and rows grow during a run', { hash: LONG }, async ({ page, studies }) => {
  await studies.runButton.click();
  await page.locator('.panel-results .chart-plot').first().waitFor();
  assert.equal(await page.locator('.study-progress').count(), 1, 'it is still running');
  await studies.show(/Rows/);
  await page.locator('.panel-results .table tbody tr').first().waitFor();
  const count = () => page.locator('.panel-results .table tbody tr').count();
  const few = await count();
  await until(count, (now) => assert.ok(now > few));
  await studies.runButton.click();
});

studiesTest('each study keeps the results of its last run', { hash: 'study=broad3d&objects=40&frames=2&tech=tree&workers=1' }, async ({ page, studies }) => {
  await studies.run();
  await page.getByRole('radio', { name: /Broad phase in 2D/ }).check();
  await page.getByText('No results yet.').waitFor();
  await studies.started();
  await page.getByRole('radio', { name: /Broad phase in 3D/ }).check();
  await page.locator('.panel-results .chart-plot, .panel-results .answers').first().waitFor();
  await page.getByText('used different settings').waitFor();
});

studiesTest('an engine that cannot be fetched is reported, and the page stays usable', {
  skipStart: true,
  expectedErrors: /./,
  prepare: (page) => page.route('**/*studies*.wasm', (route) => route.fulfill({ status: 404, body: 'gone' })),
}, async ({ page }) => {
  await page.getByRole('alert').getByText('The engine stopped').waitFor();
  await page.getByRole('link', { name: '2D broad phase' }).click();
  await page.locator('.stage').waitFor();
});

studiesTest('a worker that fails during a measurement is reported, and the rows stay', { hash: LONG, expectedErrors: /./ }, async ({ page, studies }) => {
  await studies.runButton.click();
  await until(() => studies.cases(), ([done = 0]) => assert.ok(done >= 1));
  // The first worker is the coordinator, the others measure.
  await page.workers().at(-1)?.evaluate(() => setTimeout(() => { throw new Error('out of memory'); }, 0)).catch(() => undefined);
  await page.getByRole('alert').getByText('out of memory').waitFor();
  await untilEqual(() => page.locator('.study-progress').count(), 0);
  await page.getByRole('button', { name: 'Start again' }).click();
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  await untilTrue(() => page.getByRole('button', { name: 'Resume' }).isEnabled());
});
