/** What stands beside the stage: the live chart, what it all means, and the settings of the page. */

import assert from 'node:assert/strict';

import { coloursIn, decodePng } from '../harness/png.mjs';
import { promise } from '../harness/promise.mjs';
import { untilEqual, untilMatch, untilTrue } from '../harness/until.mjs';

promise('the live chart shows tests or time, frame by frame', {}, async ({ page, view }) => {
  await view.step(4);
  const chart = page.locator('.panel-chart .chart-plot');
  const label = () => chart.getAttribute('aria-label').then((text) => text ?? '');
  await untilMatch(label, /^tests by frame\. Frames \d to 4: least [\d,]+, mean [\d,]+, most [\d,]+\.$/);
  await page.locator('.panel-chart').getByText('Time', { exact: true }).click();
  await untilMatch(label, /^ms by frame\. Frames \d to 4: least [\d.]+, mean [\d.]+, most [\d.]+\.$/);
  await untilTrue(async () => coloursIn(decodePng(await chart.screenshot())) > 10, 'it is drawn');
});

promise('the page explains itself, folded where there is little room', { viewport: { width: 390, height: 844 } }, async ({ page }) => {
  const about = page.locator('.panel-about');
  assert.ok(!(await about.getByText('A broad phase leaves out the pairs').isVisible()));
  await about.locator('summary').click();
  await about.getByText('A broad phase leaves out the pairs').waitFor();
  await about.getByText('V. H. P. Gonçales').waitFor();
});

promise('the theme follows the machine until it is chosen, and then is kept', { colorScheme: 'light' }, async ({ page, view }) => {
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

promise('the sound switch in the header and the one below the stage are one', {}, async ({ page }) => {
  const below = page.locator('.toolbar').getByRole('button', { name: 'Sound' });
  const above = page.getByRole('button', { name: 'Sound of collisions' });
  await above.click();
  await untilEqual(() => below.getAttribute('aria-pressed'), 'true');
  await below.click();
  await untilEqual(() => above.getAttribute('aria-pressed'), 'false');
});

promise('with less motion asked for nothing on the page moves by itself', {}, async ({ page }) => {
  const moving = await page.evaluate(() => document.getAnimations().length);
  assert.equal(moving, 0);
});
