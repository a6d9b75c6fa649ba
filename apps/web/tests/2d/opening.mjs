/** Initial state of the page. */

import assert from 'node:assert/strict';

import { pixelsChanged, pixelsOf } from '../harness/png.mjs';
import { pageTest } from '../harness/page-test.mjs';
import { untilMatch } from '../harness/until.mjs';

const FREE = '#56b4e9';
const TOUCHING = '#ff6a3d';

pageTest('the page opens on the 2D view and plays', { motion: 'no-preference' }, async ({ page, view }) => {
  assert.equal(await page.title(), '2D broad phase · Embate');
  assert.equal(await page.locator('.nav [aria-current="page"]').innerText(), '2D broad phase');
  await view.untilFrame(3);
  await view.untilPixels((picture) => pixelsOf(picture, FREE) > 500, 'free objects as outlines');
  await view.untilPixels((picture) => pixelsOf(picture, TOUCHING) > 500, 'touching objects filled');
  const [counts, picture] = [await view.counts(), await view.pixels()];
  assert.equal(counts.objects, 600);

  await view.untilFrame(counts.frame + 30);
  const later = await view.counts();
  assert.ok(later.frame > counts.frame);
  assert.notDeepEqual([later.tests, later.pairs], [counts.tests, counts.pairs]);
  await view.untilPixels((now) => pixelsChanged(picture, now) > 500, 'objects have moved');
  await untilMatch(() => view.figureText('ms'), /^\d+\.\d{3}$/);
  await untilMatch(() => view.figureText('fps'), /^\d+$/);
  assert.notEqual(await view.figureText('tests', 'mean'), '–');
});

pageTest('with reduced motion the scene starts paused', { motion: 'reduce' }, async ({ page, view }) => {
  await view.untilPixels((picture) => pixelsOf(picture, TOUCHING) > 500, 'it is drawn although paused');
  const picture = await view.settled();
  assert.equal(await view.frame(), 0);
  await page.waitForTimeout(500);
  assert.equal(await view.frame(), 0);
  assert.equal(pixelsChanged(picture, await view.pixels()), 0);

  await page.getByRole('button', { name: 'Play' }).click();
  await view.untilFrame(5);
  await page.getByRole('button', { name: 'Pause' }).click();
});

pageTest('a phone shows the stage first, and nothing wider than the screen', { viewport: { width: 360, height: 740 }, touch: true }, async ({ page, view }) => {
  const box = await view.stage.boundingBox();
  assert.ok(box !== null && box.y + box.height < 740, 'the stage is visible without scrolling');
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
});

pageTest('the stage has a text description, and D announces it', {}, async ({ page, view }) => {
  await page.waitForFunction(() => /\d/.test(document.querySelector('#stage-description')?.textContent ?? ''));
  const { tests, pairs } = await view.counts();
  // It takes the focus and keys of its own, which an image does not.
  assert.equal(await view.stage.getAttribute('role'), 'application');
  assert.equal(await view.stage.getAttribute('aria-describedby'), 'stage-description');
  assert.match((await view.stage.getAttribute('aria-label')) ?? '', /600 moving objects/);
  await page.getByRole('button', { name: 'Describe' }).click();
  await view.untilAnnounced('600 moving boxes');
  const text = await view.status.innerText();
  for (const count of [tests, pairs, 179_700]) {
    assert.ok(text.includes(count.toLocaleString('en')), `${count} in: ${text}`);
  }
  assert.match(text, /Paused at frame 0/);
});
