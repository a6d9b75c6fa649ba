/** The stage: cells, boxes, selection, pan and zoom. */

import assert from 'node:assert/strict';

import { pixelsChanged, pixelsOf } from '../harness/png.mjs';
import { pageTest } from '../harness/page-test.mjs';
import { untilTrue } from '../harness/until.mjs';

/** Two fifths of `#e69f00` over the background. */
const CELLS = '#644a0d';
const BOXES = '#cc79a7';
const SELECTED = '#f0e442';
const TOUCHING = '#ff6a3d';
const MISSED = '#e6edf3';

/** Few and large objects, so that one can be clicked. */
const LARGE = 'n=40&s=40-60&v=20-80&t=study-grid&c=90&seed=2';

pageTest('cells and bounding boxes are drawn on request', { hash: 'n=100&b=circle&t=study-grid&c=60' }, async ({ page, view }) => {
  const plain = await view.settled();
  for (const [name, color] of [['Draw cells', CELLS], ['Bounding boxes', BOXES]]) {
    const before = pixelsOf(plain, color ?? '');
    await page.getByLabel(name ?? '').check();
    await view.untilPixels((picture) => pixelsOf(picture, color ?? '') > before + 500, name ?? '');
    await page.getByLabel(name ?? '').uncheck();
    await view.untilPixels((picture) => pixelsChanged(picture, plain) === 0, `without ${name}`);
  }
  await view.technique('brute');
  await untilTrue(() => page.getByLabel('Draw cells').isDisabled());
  await page.getByText('This technique has no cells to draw.').waitFor();
});

pageTest('the cells of every technique that has them are drawn', { hash: 'n=600&c=60&cells=1' }, async ({ page, view }) => {
  const names = await page.locator('#technique option').evaluateAll((all) => all.map((option) => option.getAttribute('value') ?? ''));
  const drawn = [];
  for (const name of names) {
    await view.technique(name);
    if (await page.getByLabel('Draw cells').isEnabled()) {
      await view.untilPixels((picture) => pixelsOf(picture, CELLS) > 300, `cells of ${name}`);
      drawn.push(name);
    }
  }
  assert.ok(drawn.length >= 4, `${drawn}`);
});

pageTest('pairs missed by the study’s grid are counted and outlined', { hash: 'n=100&s=60-80&t=study-grid&c=15' }, async ({ page, view }) => {
  const { missed } = await view.counts();
  assert.ok(missed > 0);
  assert.ok(await page.locator('.stage-line').getByText(`${missed} pairs missed`).isVisible());
  assert.ok(await page.locator('.stage-legend').getByText('Missed').isVisible());
  // Frames two pixels wide around boxes of 60 pixels and more, partly hidden.
  await view.untilPixels((picture) => pixelsOf(picture, MISSED) > 200 * Math.sqrt(missed), 'missed pairs');
  await view.technique('grid');
  await view.untilPixels((picture) => pixelsOf(picture, MISSED) === 0, 'none missed');
  await view.step();
  assert.equal((await view.counts()).missed, 0);
});

pageTest('missed pairs are not shown where they are not counted', { hash: 'w=9000&h=9000&n=10001&t=sweep' }, async ({ view }) => {
  await view.step();
  assert.deepEqual([await view.figureText('missed'), await view.figureText('missed', 'mean')], ['–', '–']);
  await view.technique('tree');
  await view.step();
  assert.deepEqual([await view.figureText('missed'), await view.figureText('missed', 'mean')], ['0', '0.00']);
});

pageTest('an object is inspected by hover, selected by click, and deselected', { hash: LARGE }, async ({ page, view }) => {
  const title = page.locator('#selection-title');
  assert.equal(await title.innerText(), 'Selected object');
  const picture = await view.settled();
  const [there, nowhere] = [findSpot(picture, true), findSpot(picture, false)];
  await view.stage.hover({ position: there });
  await title.getByText(/^Object \d+$/).waitFor();
  await view.untilPixels((picture) => pixelsOf(picture, SELECTED) > 50, 'selected');
  const facts = await page.locator('.panel-selection .facts').innerText();
  assert.match(facts, /Corner \(px\)\s+x \d+\.\d y \d+\.\d/);
  assert.match(facts, /Size \(px\)\s+\d+\.\d × \d+\.\d/);
  assert.match(facts, /Cells\s+[1-4]/);
  await view.stage.hover({ position: nowhere });
  await title.getByText('Selected object').waitFor();

  // A hovered object is marked as such, and released when the pointer leaves.
  await view.stage.hover({ position: there });
  await page.locator('.panel-selection').getByText('click to keep').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Clear' }).count(), 0);
  await page.locator('.header').hover();
  await title.getByText('Selected object').waitFor();

  await view.stage.click({ position: there });
  await title.getByText(/^Object \d+$/).waitFor();
  await page.locator('.panel-selection.kept').waitFor();
  await page.locator('.header').hover();
  await view.stage.hover({ position: nowhere });
  await view.untilAddress((address) => /^\d+$/.test(address.get('sel') ?? ''));
  const object = view.address().get('sel');
  assert.equal(await title.innerText(), `Object ${object}`);

  // It is red, so it touches another object, whose panel lists it.
  const touching = page.locator('.panel-selection .ids').filter({ hasText: 'Touching' }).getByRole('button').first();
  const partner = await touching.innerText();
  await touching.click();
  await title.getByText(`Object ${partner}`, { exact: true }).waitFor();
  await page.locator('.panel-selection').getByRole('button', { name: `Select object ${object}`, exact: true }).first().waitFor();

  await page.getByRole('button', { name: 'Clear' }).click();
  await title.getByText('Selected object').waitFor();
  await view.untilAddress((address) => !address.has('sel'));
  await view.stage.click({ position: there });
  await title.getByText(/^Object \d+$/).waitFor();
  await view.stage.click({ position: nowhere });
  await title.getByText('Selected object').waitFor();
});

pageTest('a click on empty ground says that nothing was hit', { hash: LARGE }, async ({ page, view }) => {
  await view.stage.click({ position: findSpot(await view.settled(), false) });
  await page.locator('.toast').getByText('No object there.').waitFor();
  // Not for a selection that is cleared by key.
  await page.locator('.toast').waitFor({ state: 'detached' });
  await view.stage.press('Escape');
  await view.untilAnnounced('Nothing selected.');
  assert.equal(await page.locator('.toast').count(), 0);
});

pageTest('a tap beside a small object selects it', { hash: 'w=800&h=450&n=1&s=6-6&v=0-0&seed=3', touch: true, viewport: { width: 360, height: 740 } }, async ({ page, view }) => {
  const picture = await view.settled();
  const box = await view.stage.boundingBox();
  assert.ok(box !== null);
  let [sumX, sumY, count] = [0, 0, 0];
  for (let y = 8; y < picture.height - 8; y += 1) {
    for (let x = 8; x < picture.width - 8; x += 1) {
      const at = (y * picture.width + x) * picture.channels;
      if ((picture.data[at + 2] ?? 0) > 120) [sumX, sumY, count] = [sumX + x, sumY + y, count + 1];
    }
  }
  assert.ok(count > 0, 'the object');
  // A finger's width away: more than a mouse reaches.
  const [x, y] = [sumX / count, sumY / count];
  await page.touchscreen.tap(box.x + x + (x < picture.width / 2 ? 18 : -18), box.y + y);
  await page.locator('#selection-title').getByText('Object 0').waitFor();
});

pageTest('the choice of a grid names spatial hashing', { hash: 'n=50&t=grid' }, async ({ page, view }) => {
  await page.locator('#technique-about').getByText('spatial hashing').waitFor();
  await view.technique('tree');
  assert.doesNotMatch(await page.locator('#technique-about').innerText(), /hashing/);
  await page.getByLabel('Language').selectOption('pt-BR');
  await view.technique('study-grid');
  await page.locator('#technique-about').getByText('hash espacial').waitFor();
});

pageTest('the view pans by dragging, zooms by wheel and buttons, and resets', { hash: `${LARGE}&sel=7` }, async ({ page, view }) => {
  // One is selected, so that hovering others changes nothing.
  const title = page.locator('#selection-title');
  await title.getByText('Object 7').waitFor();
  await view.untilPixels((picture) => pixelsOf(picture, SELECTED) > 50, 'selected');
  const whole = await view.settled();
  const box = await view.stage.boundingBox();
  assert.ok(box !== null);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];

  await page.getByRole('button', { name: 'Zoom in' }).click();
  await view.untilPixels((picture) => pixelsChanged(picture, whole) > 5000, 'nearer by button');
  await page.getByRole('button', { name: 'Zoom out' }).click();
  await view.untilPixels((picture) => pixelsChanged(picture, whole) === 0, 'farther by button');

  await page.mouse.move(x, y);
  await page.mouse.wheel(0, -300);
  await view.untilPixels((picture) => pixelsChanged(picture, whole) > 5000, 'nearer by wheel');
  const near = await view.settled();

  await page.mouse.down();
  await page.mouse.move(x + 80, y + 40, { steps: 4 });
  await page.mouse.up();
  await view.untilPixels((picture) => pixelsChanged(picture, near) > 5000, 'moved by dragging');
  assert.equal(await title.innerText(), 'Object 7', 'a drag selects nothing');

  await page.getByRole('button', { name: 'Fit' }).click();
  await view.untilPixels((picture) => pixelsChanged(picture, whole) === 0, 'the whole world');
});

pageTest('an empty view says so, and how to leave it', { hash: 'n=1&s=6-6&v=0-0&seed=3' }, async ({ page, view }) => {
  const note = page.locator('.stage-note');
  for (let press = 0; press < 30; press += 1) {
    await page.getByRole('button', { name: 'Zoom in' }).click();
  }
  await note.getByText('No object in view.').waitFor();
  await page.getByRole('button', { name: 'Fit' }).click();
  await note.waitFor({ state: 'detached' });
});

pageTest('a few objects in a huge world are visible', { hash: 'w=100000&h=56250&n=200&s=1-1&v=0-0' }, async ({ page, view }) => {
  await view.untilPixels((picture) => pixelsOf(picture, '#56b4e9', 60) > 600, 'few in a huge world');
});

pageTest('a search of several seconds is indicated at once, and the page stays responsive', { hash: 'w=8764&h=4930&n=50000&t=tree', motion: 'no-preference' }, async ({ page, view }) => {
  await view.untilFrame(2);
  await view.field('technique').selectOption('study-brute');
  await page.locator('.stage-note').getByText('Searching…').waitFor({ timeout: 3000 });
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Play' }).waitFor({ timeout: 2000 });
  await view.field('technique').selectOption('tree');
  await page.locator('.stage-note').waitFor({ state: 'detached' });
});

pageTest('a wheel that cannot zoom out further scrolls the page', { viewport: { width: 1200, height: 500 } }, async ({ page, view }) => {
  await view.stage.hover();
  await page.mouse.wheel(0, 200);
  await page.waitForFunction(() => scrollY > 100);
});

pageTest('the picture follows the theme and the size of the window', { colorScheme: 'light' }, async ({ page, view }) => {
  assert.equal(await page.locator('html').getAttribute('data-theme'), 'light');
  await view.untilPixels((picture) => pixelsOf(picture, '#c4320a') > 500 && pixelsOf(picture, '#ffffff') > 10_000, 'light');
  await page.getByLabel('Theme').selectOption('dark');
  await view.untilPixels((picture) => pixelsOf(picture, TOUCHING) > 500 && pixelsOf(picture, '#0e1116') > 10_000, 'dark');
  await page.setViewportSize({ width: 800, height: 900 });
  await view.untilPixels((picture) => picture.width > 400 && pixelsOf(picture, TOUCHING) > 500, 'another size');
});

/**
 * The center of a filled object, or background without objects nearby.
 *
 * @param {import('../harness/png.mjs').Picture} picture
 * @param {boolean} filled
 */
function findSpot({ width, height, channels, data }, filled) {
  const isFilled = (/** @type {number} */ x, /** @type {number} */ y) => {
    const at = (y * width + x) * channels;
    return (data[at] ?? 0) > 240 && (data[at + 1] ?? 0) < 130;
  };
  const isDark = (/** @type {number} */ x, /** @type {number} */ y) => {
    const at = (y * width + x) * channels;
    return [0, 1, 2].every((channel) => (data[at + channel] ?? 255) < 40);
  };
  const around = filled ? 8 : 24;
  for (let y = 60; y < height - 60; y += 2) {
    for (let x = 60; x < width - 60; x += 2) {
      const fits = filled ? isFilled : isDark;
      let all = true;
      for (let dy = -around; dy <= around && all; dy += 2) {
        for (let dx = -around; dx <= around && all; dx += 2) {
          all = fits(x + dx, y + dy);
        }
      }
      if (all) {
        return { x, y };
      }
    }
  }
  throw new Error(`no ${filled ? 'filled object' : 'empty ground'} in the picture`);
}
