/** Panels beside the stage, and colors. */

import assert from 'node:assert/strict';

import { DESKTOP, PHONE, SMALL_PHONE } from '../harness/browser.mjs';
import { pixelsChanged } from '../harness/png.mjs';
import { pageTest } from '../harness/page-test.mjs';
import { untilEqual, untilMatch, untilTrue } from '../harness/until.mjs';

pageTest('momentum and cost have charts, sleeping bodies are counted, and colors show speed', { hash: 'view=3d&preset=pyramid' }, async ({ page, view3d }) => {
  const plot = () => page.locator('.panel-chart canvas').first().evaluate((canvas) => canvas.toDataURL());
  for (const step of [10, 20, 30]) await view3d.go(step);
  const seen = [await plot()];
  for (const [name, unit] of [['Momentum', 'Linear (N·s) and angular (kg·m²/s) momentum'], ['Cost', 'Time per step (ms)']]) {
    await page.locator('.panel-chart').getByText(name ?? '', { exact: true }).click();
    await page.locator('.panel-chart').getByText(unit ?? '').waitFor();
    await untilTrue(async () => !seen.includes(await plot()), `${name} is drawn`);
    seen.push(await plot());
  }
  const legend = await page.locator('.panel-chart').innerText();
  for (const part of ['Move', 'Broad', 'Narrow', 'Resolve']) assert.match(legend, new RegExp(part));

  const shapes = await view3d.settled();
  await page.locator('.stage-colours').getByText('Speed', { exact: true }).click();
  await view3d.untilPixels((picture) => pixelsChanged(picture, shapes) > 3000, 'other colours');
  await untilEqual(() => page.locator('.stage-legend li').allInnerTexts(), ['Slow', 'Fast', 'Fixed', 'Touching', 'Free']);
  await view3d.untilAddress((address) => address.get('colour') === 'speed');

  const floor = { shape: { halfspace: { normal: [0, 1, 0] } }, type: 'fixed' };
  const boxes = [0.5, 1.5].map((y) => ({ shape: { cube: { half: 0.5 } }, position: [0, y, 0], mass: 1 }));
  const buffer = Buffer.from(JSON.stringify({ bodies: [floor, ...boxes] }));
  await page.locator('input[type=file]').setInputFiles({ name: 'two.json', mimeType: 'application/json', buffer });
  await view3d.untilBodies(3);
  await page.locator('.cost-foot').getByText('0 asleep').waitFor();
  await view3d.go(300);
  await page.locator('.cost-foot').getByText('2 asleep').waitFor();
});

pageTest('a body is pulled by touch during playback', { hash: 'view=3d&preset=dzhanibekov', viewport: PHONE, touch: true, motion: 'no-preference' }, async ({ page, context, view3d }) => {
  const fingers = await context.newCDPSession(page);
  await view3d.pastStep(5);
  await page.locator('.row-button').first().tap();
  await view3d.stage.scrollIntoViewIfNeeded();
  const [box, mark] = await Promise.all([view3d.stage.boundingBox(), page.locator('.stage-mark').boundingBox()]);
  assert.ok(box !== null && mark !== null);
  const touch = (/** @type {string} */ type, /** @type {{ x: number, y: number }[]} */ ...touchPoints) =>
    fingers.send('Input.dispatchTouchEvent', { type, touchPoints });
  await touch('touchStart', { x: mark.x, y: mark.y });
  for (let move = 1; move <= 6; move += 1) await touch('touchMove', { x: mark.x + 8 * move, y: mark.y - 12 * move });
  await page.waitForFunction(() => Math.hypot(...['x', 'y', 'z'].map((axis) => Number(document.querySelector(`#body-position-${axis}`)?.value.replace('−', '-')))) > 0.05);
  await touch('touchEnd');
  // Neither the page nor the camera moved with it.
  assert.equal(await view3d.stage.evaluate((element) => element.style.touchAction), 'pan-y');
  await page.getByRole('button', { name: 'Undo' }).tap();
  await view3d.untilAnnounced(/^Undone/);
});

/** The narrowest width with three columns, and wider ones, in the language with longer texts. */
const WIDTHS = [1100, 1200, 1280, 1440];

pageTest('legend, tools, counts and files do not overlap, however narrow the stage is', { hash: 'view=3d&preset=ramp', locale: 'pt-BR' }, async ({ page, view3d }) => {
  await view3d.go(30);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    const boxes = ['.stage-legend', '.stage-frame .view-tools', '.stage-line', '.files'].map((selector) => page.locator(selector).boundingBox());
    const [legend, tools, line, files] = await Promise.all(boxes);
    for (const [one, other] of [[legend, tools], [line, files]]) {
      assert.ok(one != null && other != null && areApart(one, other), `${width}: ${JSON.stringify([one, other])}`);
    }
    const isCut = await page.locator('.stage-line').evaluate((element) => element.scrollWidth > element.clientWidth);
    assert.ok(!isCut, `the counts are cut at ${width}`);
  }
});

pageTest('a name of 80 characters widens nothing, and is complete in its tooltip', { hash: 'view=3d&preset=pyramid' }, async ({ page, view3d }) => {
  const name = 'W'.repeat(80);
  await view3d.go(30);
  await page.locator('.row-button').nth(3).click();
  await view3d.enter('body-name', name);
  await page.locator('#selection-title').getByText(name).waitFor();
  for (const size of [DESKTOP, PHONE]) {
    await page.setViewportSize(size);
    await untilTrue(async () => (await page.evaluate(() => document.documentElement.scrollWidth)) <= size.width, `wider than ${size.width} px`);
    for (const selector of ['.panel-selection', '.panel-contacts', '.panel-objects']) {
      const hidden = await page.locator(selector).evaluate((panel) => panel.scrollWidth - panel.clientWidth);
      assert.ok(hidden <= 0, `${selector}: ${hidden} px wider than it is, on ${size.width}`);
    }
  }
  for (const selector of ['#selection-title', '.objects-table tr.marked .row-button', '.panel-contacts .whose']) {
    assert.equal(await page.locator(selector).getAttribute('title'), name, selector);
  }
});

pageTest('the description does not cover the timeline, and disappears with the next action', { hash: 'view=3d&preset=pyramid' }, async ({ page, view3d }) => {
  // Requested before the response to a selection, which used to cancel it.
  await view3d.stage.press(']');
  const toast = page.locator('.toast');
  for (const describe of [() => view3d.stage.press('d'), () => page.getByRole('button', { name: 'Describe' }).click()]) {
    await describe();
    await toast.getByText('paused').waitFor();
    const [toastBox, time] = await Promise.all([toast.boundingBox(), page.locator('.timeline').boundingBox()]);
    assert.ok(toastBox !== null && time !== null && areApart(toastBox, time), JSON.stringify([toastBox, time]));
    // It described a world that has changed.
    await view3d.stage.press('Shift+ArrowRight');
    await toast.waitFor({ state: 'detached' });
  }
});

pageTest('the curve of contacts has a scale, and depth and penetration are explained', { hash: 'view=3d&preset=pyramid' }, async ({ page, view3d }) => {
  for (const step of [1, 2, 30]) await view3d.go(step);
  const count = Number((await page.locator('#contacts-title .small').innerText()).replace(',', ''));
  await untilMatch(() => page.locator('.timeline-curve').innerText(), /^contacts per step, at most \d+$/);
  const most = Number(/\d+/.exec((await page.locator('.timeline-curve').innerText()).replace(',', ''))?.[0]);
  assert.ok(most >= count && count > 0, `${most} of ${count}`);
  assert.match(await page.locator('.cost-foot').innerText(), /max\. penetration \d+\.\d\d mm/);
  await page.locator('.panel-contacts').getByText('Depth: how far the bodies overlap; negative while they are still apart.').waitFor();
});

pageTest('the octree overlay says what a cell and its depth are', { hash: 'view=3d&preset=pyramid' }, async ({ page }) => {
  assert.equal(await page.locator('#depth').count(), 0);
  await page.getByLabel(/^Octree/).check();
  await page.locator('#depth-about').getByText('An octree halves space along each axis, into eight cells').waitFor();
  assert.equal(await page.locator('#depth').getAttribute('aria-describedby'), 'depth-about');
});

pageTest('on a phone no button of the toolbar has a row of its own, and the explanation follows the stage', { hash: 'view=3d&preset=pyramid', viewport: SMALL_PHONE, locale: 'pt-BR' }, async ({ page }) => {
  const rows = await page.locator('.toolbar-buttons .button').evaluateAll((all) => all.map((button) => Math.round(button.getBoundingClientRect().top)));
  assert.deepEqual([...new Set(rows)].map((top) => rows.filter((each) => each === top).length), [4, 3]);
  for (const button of await page.locator('.toolbar-buttons .button').all()) {
    const hidden = await button.evaluate((element) => element.scrollWidth - element.clientWidth);
    assert.ok(hidden <= 0, `${await button.innerText()}: ${hidden} px hidden`);
  }
  const [tools, colors] = await Promise.all(['.stage-frame .view-tools', '.stage-colours .segments'].map((each) => page.locator(each).boundingBox()));
  assert.ok(tools != null && colors != null && areApart(tools, colors), JSON.stringify({ tools, colors }));
  const [stage, about, costs] = await Promise.all(['.panel-stage', '.panel-about', '.panel-live'].map((panel) => page.locator(panel).boundingBox()));
  assert.ok(stage != null && about != null && costs != null && about.y >= stage.y + stage.height && costs.y >= about.y + about.height);
});

/** @typedef {{ x: number, y: number, width: number, height: number }} Box */

/**
 * @param {Box} one
 * @param {Box} other
 */
function areApart(one, other) {
  return one.x + one.width <= other.x || other.x + other.width <= one.x || one.y + one.height <= other.y || other.y + other.height <= one.y;
}
