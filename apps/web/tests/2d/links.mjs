/** Links of the 2D view, valid and invalid. */

import assert from 'node:assert/strict';

import { openPage } from '../harness/browser.mjs';
import { pageTest } from '../harness/page-test.mjs';
import { untilEqual, untilTrue } from '../harness/until.mjs';

pageTest('a shared link reproduces the scene to the last count', { hash: 'n=321&b=circle&s=5-40&v=10-300&t=tree&seed=4294967295' }, async ({ page, view }) => {
  await page.getByLabel('Bounding boxes').check();
  await view.stage.press(']');
  await view.untilAddress((address) => address.get('sel') === '0' && address.get('boxes') === '1');
  const [start, selected] = [await view.counts(), await page.locator('.panel-selection .facts').innerText()];
  await page.getByRole('button', { name: 'Link' }).click();
  await view.untilAnnounced('Link copied.');
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await view.step(6);
  const later = await view.counts();

  const other = await openPage({ hash: new URL(link).hash.slice(1) });
  assert.deepEqual(await other.view.counts(), start);
  await other.page.locator('#selection-title').getByText('Object 0').waitFor();
  await untilEqual(() => other.page.locator('.panel-selection .facts').innerText(), selected);
  await untilTrue(() => other.page.getByLabel('Bounding boxes').isChecked());
  await other.view.step(6);
  assert.deepEqual(await other.view.counts(), later);
  await other.page.reload();
  await other.view.started();
  assert.deepEqual(await other.view.counts(), start);
  assert.deepEqual(other.errors, []);
  await other.context.close();
});

pageTest('an address edited by hand takes effect at once', {}, async ({ page, view }) => {
  await page.evaluate(() => (location.hash = '#n=42&t=sweep&exp=2'));
  await page.waitForFunction(() => document.querySelector('[data-figure="objects"] .now')?.textContent === '42');
  await untilEqual(() => view.field('technique').inputValue(), 'sweep');
  await untilTrue(() => page.getByLabel('Experiment 2').isChecked());
});

/** Invalid fragments, and the fields that the page must report. */
const HOSTILE = [
  { hash: 'n=%3Cscript%3Ealert(1)%3C/script%3E', named: ['total objects'] },
  { hash: 't=<img src=x onerror=alert(1)>', named: ['technique'] },
  { hash: 't=none-such', named: ['technique'] },
  { hash: 't=__proto__&tech=constructor', named: ['technique', 'techniques of the experiment'] },
  { hash: 'n=NaN&w=Infinity&h=-Infinity', named: ['total objects', 'world width', 'world height'] },
  { hash: 'n=1e309&seed=1e309', named: ['total objects', 'seed'] },
  { hash: 'n=-5&v=-9--1', named: ['total objects', 'minimum speed', 'maximum speed'] },
  { hash: 'n=200001', named: ['total objects'] },
  { hash: 'n=1e7', named: ['total objects'] },
  { hash: 'w=1e300&h=1e-300', named: ['world width', 'world height'] },
  { hash: 's=90-10', named: ['maximum size'] },
  { hash: 's=1-1e9', named: ['maximum size'] },
  { hash: 't=study-grid&c=0.0001', named: ['cell size'] },
  { hash: 't=study-grid&c=-1', named: ['cell size'] },
  { hash: 'b=triangle', named: ['bounding shape'] },
  { hash: 'n=&seed=', named: ['total objects', 'seed'] },
  { hash: 'n=7&n=8', named: ['total objects'] },
  { hash: 'sel=600', named: ['selected object'] },
  { hash: 'sel=-1&cells=2&boxes=yes', named: ['selected object', 'draw cells', 'bounding boxes'] },
  { hash: 'exp=3&frames=0', named: ['experiment', 'frames'] },
  { hash: 'frames=1e9&tech=', named: ['frames', 'techniques of the experiment'] },
  { hash: `n=${'9'.repeat(5000)}`, named: ['total objects'] },
  { hash: 'n=600&view=none-such', named: ['view'] },
  { hash: '%%%&=&&%E0%A4%A&%00', named: ['unknown to this page'] },
  { hash: 'x'.repeat(3000), named: ['unknown to this page'] },
];

pageTest('invalid fields of a link fall back to defaults, and are reported', {}, async ({ page, origin }) => {
  for (const [place, { hash, named }] of HOSTILE.entries()) {
    // Some as opened links, some as edited addresses.
    if (place % 4 === 0) {
      await page.goto('about:blank');
      await page.goto(`${origin}/#${hash}`);
    } else {
      await page.evaluate((text) => (location.hash = `#${text}`), hash);
    }
    const what = hash.slice(0, 60);
    const words = await page.locator('.notice p').innerText().catch(() => 'no message');
    assert.match(words, /^The link could not be read in /, what);
    for (const name of named) {
      assert.ok(words.includes(name), `${what}: ${name} in "${words}"`);
    }
    assert.equal(await page.locator('.trouble').count(), 0, what);
    await untilEqual(() => page.locator('[data-figure="objects"] .now').innerText(), '600', what);
    await page.locator('.notice button').click();
    await page.locator('.notice').waitFor({ state: 'detached' });
  }
});

pageTest('the address is kept current while a selected object moves', { hash: 'n=100&sel=3', motion: 'no-preference' }, async ({ page, view }) => {
  await page.locator('#selection-title').getByText('Object 3').waitFor();
  await view.untilFrame((await view.frame()) + 5);
  await page.getByLabel('Bounding boxes').check();
  await view.technique('tree');
  await view.untilAddress((address) => address.get('boxes') === '1' && address.get('sel') === '3');
});

pageTest('a selected object that a smaller world lacks is deselected', { hash: 'n=20&sel=9' }, async ({ page, view }) => {
  const title = page.locator('#selection-title');
  await title.getByText('Object 9').waitFor();
  await view.enter('objects', 3);
  await title.getByText('Selected object').waitFor();
  await view.untilAddress((address) => address.get('n') === '3' && !address.has('sel'));
  await page.getByRole('button', { name: 'Describe' }).click();
  await view.untilAnnounced('No object is selected.');
});

pageTest('whatever the state of the controls, the address is parsed without errors', { hash: 't=study-grid&c=30' }, async ({ page, view }) => {
  await view.refused('frames', '0');
  for (const chip of await view.experiments.locator('.chip input').all()) {
    await chip.uncheck();
  }
  await view.refused('cellSize', '');
  await view.technique('tree');
  await view.untilAddress((address) => address.get('tech') === 'none');
  assert.equal(view.address().get('frames'), null);
  assert.equal(view.address().get('c'), '30');
  await page.reload();
  await view.started();
  assert.equal(await page.locator('.notice').count(), 0);
  await page.getByText('Choose at least one technique.').waitFor();
});

pageTest('going back shows the previous state', { hash: 'n=11' }, async ({ page, view }) => {
  const untilObjects = (/** @type {string} */ count) =>
    page.waitForFunction((wanted) => document.querySelector('[data-figure="objects"] .now')?.textContent === wanted, count);
  await view.untilAddress((address) => address.has('seed'));
  const other = view.address();
  other.set('n', '22');
  // A link as the page writes it: no later write replaces it.
  await page.evaluate((hash) => (location.hash = hash), `#${other}`);
  await untilObjects('22');
  await page.goBack();
  await untilObjects('11');
});

pageTest('too many overlapping pairs are rejected with the maximum number of objects', {}, async ({ view }) => {
  await view.enter('maxSize', 500);
  assert.match(await view.refused('objects', '200000'), /Too crowded.*at most [\d,]+ objects/);
});

pageTest('a view left before it wrote its address is restored without a reload', {
  skipStart: true,
  // Its engine loads slowly.
  prepare: (page) => page.route('**/*broad2d*.wasm', () => undefined),
}, async ({ page, view, view3d }) => {
  await page.getByRole('link', { name: '3D simulator' }).click();
  await view3d.started();
  await page.evaluate(() => (globalThis.isTheSame = true));
  await page.unroute('**/*broad2d*.wasm');
  await page.getByRole('link', { name: '2D broad phase' }).click();
  await view.started();
  assert.ok(await page.evaluate(() => globalThis.isTheSame), 'the page was reloaded');
  await page.getByRole('link', { name: '3D simulator' }).click();
  await view3d.started();
});
