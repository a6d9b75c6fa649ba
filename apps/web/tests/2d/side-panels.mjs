/** Panels beside the stage: live chart, explanation, settings. */

import assert from 'node:assert/strict';

import { distinctColors, decodePng } from '../harness/png.mjs';
import { pageTest } from '../harness/page-test.mjs';
import { untilEqual, untilMatch, untilTrue } from '../harness/until.mjs';

pageTest('the live chart shows tests or time per frame', {}, async ({ page, view }) => {
  await view.step(4);
  await page.locator('.panel-chart .chart-title').getByText('Tests per frame, log scale').waitFor();
  const chart = page.locator('.panel-chart .chart-plot');
  const label = () => chart.getAttribute('aria-label').then((text) => text ?? '');
  await untilMatch(label, /^Tests per frame, log scale\. Frames \d to 4: minimum [\d,]+, mean [\d,]+, maximum [\d,]+\.$/);
  await page.locator('.panel-chart').getByText('Time', { exact: true }).click();
  await page.locator('.panel-chart .chart-title').getByText('Collision phase (ms)').waitFor();
  await untilMatch(label, /^Collision phase \(ms\)\. Frames \d to 4: minimum [\d.]+, mean [\d.]+, maximum [\d.]+\.$/);
  await untilTrue(async () => distinctColors(decodePng(await chart.screenshot())) > 10, 'it is drawn');
});

pageTest('the page has an explanation, collapsed on narrow screens', { viewport: { width: 390, height: 844 } }, async ({ page }) => {
  const about = page.locator('.panel-about');
  assert.ok(!(await about.getByText('A broad phase skips the pairs').isVisible()));
  await about.locator('summary').click();
  await about.getByText('A broad phase skips the pairs').waitFor();
  await about.getByText('V. H. P. Gonçales').waitFor();
  // Published values exist for one of the experiments only.
  await about.getByText('Experiment 2 shows the published values beside ours').waitFor();
  await about.getByText('Spatial hashing is the simplest').waitFor();
  for (const [work, host] of [['Teschner et al. 2003', 'matthias-research.github.io'], ['Ericson 2005', 'realtimecollisiondetection.net']]) {
    const address = await about.getByRole('link', { name: new RegExp(`^${work}`) }).getAttribute('href');
    assert.equal(new URL(address ?? '').host, host);
  }
  assert.match((await about.getByRole('img').getAttribute('aria-label')) ?? '', /all 28 pairs, a sweep the \d+ that .*, a grid the \d+ that share a cell/);
});

pageTest('the theme follows the system until it is chosen, and is then stored', { colorScheme: 'light' }, async ({ page, view }) => {
  const isNow = (/** @type {string} */ theme) => page.locator(`html[data-theme="${theme}"]`).waitFor();
  await isNow('light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await isNow('dark');
  await page.getByLabel('Theme').selectOption('light');
  await isNow('light');
  await page.reload();
  await view.started();
  await isNow('light');
  await page.getByLabel('Theme').selectOption('auto');
  await isNow('dark');
});

pageTest('the sound switches in the header and below the stage are in sync', {}, async ({ page }) => {
  const below = page.locator('.toolbar').getByRole('button', { name: 'Sound' });
  const above = page.getByRole('button', { name: 'Sound of collisions' });
  await above.click();
  await untilEqual(() => below.getAttribute('aria-pressed'), 'true');
  await below.click();
  await untilEqual(() => above.getAttribute('aria-pressed'), 'false');
});

pageTest('with reduced motion nothing on the page moves by itself', {}, async ({ page }) => {
  const moving = await page.evaluate(() => document.getAnimations().length);
  assert.equal(moving, 0);
});
