/** Table of bodies: what it shows first, and editing in place. */

import assert from 'node:assert/strict';

import { pageTest } from '../harness/page-test.mjs';
import { untilEqual, untilTrue } from '../harness/until.mjs';

/** @typedef {import('playwright-core').Page} Page */

const LAPTOP = { width: 1366, height: 768 };

for (const locale of ['en-US', 'pt-BR']) {
  pageTest(`name, mass, restitution and position fit without scrolling at 1366 px: ${locale}`, { hash: 'view=3d&preset=ramp', locale, viewport: LAPTOP }, async ({ page, view3d }) => {
    await view3d.go(60);
    const heads = await page.locator('.objects-table thead th').evaluateAll((all) => all.map((head) => ({ text: (head.textContent ?? '').replaceAll('\u00AD', ''), right: head.getBoundingClientRect().right })));
    const first = locale === 'en-US' ? ['Name', 'Mass (kg)', 'Restitution'] : ['Nome', 'Massa (kg)', 'Restituição'];
    assert.deepEqual(heads.slice(0, 6).map(({ text }) => text), [...first, 'x (m)', 'y (m)', 'z (m)']);
    const box = await page.locator('.panel-objects .table-scroll').boundingBox();
    assert.ok(box !== null && (heads[5]?.right ?? Infinity) <= box.x + box.width, JSON.stringify([heads[5], box]));
    // The shadow of hidden rows is lower than a row, which would look selected.
    const shadow = await page.locator('.panel-objects .table-place').evaluate((place) => Number.parseFloat(getComputedStyle(place, '::after').height));
    assert.ok(shadow < 12, `${shadow} px`);
  });
}

pageTest('a value is edited in the table by double click, as in the form of the body', { hash: 'view=3d&preset=ramp', viewport: LAPTOP }, async ({ page, view3d }) => {
  await view3d.go(10);
  const [sphere, name] = [page.locator('.objects-table tbody tr').nth(4), 'sphere 1'];
  const cell = (/** @type {string} */ column) => sphere.locator(`[data-column=${column}]`);
  const input = page.locator('#object-cell');
  const [y, z] = [await cell('y').innerText(), await cell('z').innerText()];
  for (const [column, value, label, field, shown] of /** @type {const} */ ([
    ['mass', '3.5', 'Mass (kg)', 'body-mass', '3.5'],
    ['restitution', '0.25', 'Restitution', 'body-restitution', '0.25'],
    ['x', '-1.5', 'x (m)', 'body-position-x', '−1.5'],
    ['vx', '2', 'vx (m/s)', 'body-velocity-x', '2'],
  ])) {
    await cell(column).dblclick();
    assert.equal(await input.getAttribute('aria-label'), `${label}, ${name}`);
    await page.keyboard.type(value);
    await page.keyboard.press('Enter');
    await view3d.untilAnnounced(`${name} changed.`);
    await input.waitFor({ state: 'detached' });
    await untilEqual(() => view3d.field(field).inputValue(), shown);
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('data-column')), column, 'the focus returns to the cell');
  }
  // One coordinate was changed, not the others.
  assert.deepEqual([await cell('y').innerText(), await cell('z').innerText()], [y, z]);
  // Leaving the input commits, Escape does not.
  await cell('friction').dblclick();
  await page.keyboard.type('0.9');
  await page.locator('#objects-title').click();
  await untilEqual(() => cell('friction').innerText(), '0.90');
  await cell('friction').dblclick();
  await page.keyboard.type('0.1');
  await page.keyboard.press('Escape');
  await input.waitFor({ state: 'detached' });
  assert.equal(await cell('friction').innerText(), '0.90');
  // What a fixed body has no value of cannot be edited; nor can counts.
  const floor = page.locator('.objects-table tbody tr').first();
  for (const column of ['mass', 'vx', 'speed', 'contacts']) assert.equal(await floor.locator(`[data-column=${column}]`).count(), 0, column);
  await page.getByRole('button', { name: 'Undo' }).click();
  await untilTrue(async () => (await cell('friction').innerText()) !== '0.90', 'an edit can be undone');
});

pageTest('a value is edited in the table by keyboard alone, and an invalid one is explained', { hash: 'view=3d&preset=ramp', viewport: LAPTOP }, async ({ page, view3d }) => {
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-column') ?? document.activeElement?.textContent);
  await view3d.tabTo(page.locator('.row-button').nth(4));
  await page.keyboard.press('ArrowRight');
  assert.equal(await focused(), 'mass');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  const input = page.locator('#object-cell');
  await input.waitFor();
  await view3d.type('1.5');
  await page.locator('#object-cell-problem').getByText('At most 1.').waitFor();
  assert.equal(await input.getAttribute('aria-describedby'), 'object-cell-problem');
  await view3d.untilAnnounced('Not applied. Restitution, sphere 1: At most 1.');
  await view3d.type('0.75');
  await view3d.untilAnnounced('sphere 1 changed.');
  await input.waitFor({ state: 'detached' });
  assert.equal(await page.locator('#object-cell-problem').count(), 0);
  await untilEqual(() => page.locator('.objects-table tbody tr').nth(4).locator('[data-column=restitution]').innerText(), '0.75');
  // The arrow keys go on from there, also over rows without such a value.
  assert.equal(await focused(), 'restitution');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowUp');
  assert.equal(await focused(), 'mass', 'fixed bodies above have no mass');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await focused(), 'sphere 1');
  await page.keyboard.press('ArrowUp');
  assert.equal(await focused(), 'step');
  await page.keyboard.press('End');
  assert.equal(await focused(), 'friction');
});
