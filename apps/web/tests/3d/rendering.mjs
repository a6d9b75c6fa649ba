/** Rendering: overlays, camera, lost contexts. */

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

import { PHONE } from '../harness/browser.mjs';
import { pixelsChanged, pixelsOf } from '../harness/png.mjs';
import { pageTest } from '../harness/page-test.mjs';
import { until, untilEqual } from '../harness/until.mjs';

/** A click follows its tap sooner. */
const CLICK_MS = 1000;

const INKS = { B: '#cc79a7', C: '#ff6a3d', N: '#00d19a', O: '#e69f00', V: '#e6edf3' };

pageTest('every overlay can be switched by key or checkbox', { hash: 'view=3d&preset=hulls&show=none' }, async ({ page, view3d }) => {
  await view3d.go(60);
  const plain = await view3d.settled();
  assert.ok(pixelsChanged(plain, { ...plain, data: new Uint8Array(plain.data.length).fill(14) }) > 20_000, 'something is drawn');
  for (const [key, glColor] of Object.entries(INKS)) {
    const before = pixelsOf(plain, glColor);
    await view3d.stage.press(key.toLowerCase());
    await view3d.untilPixels((picture) => pixelsOf(picture, glColor) > before + 60, key);
    await view3d.stage.press(key.toLowerCase());
    await view3d.untilPixels((picture) => pixelsOf(picture, glColor) <= before + 5, key);
  }
  for (const name of ['Grid', 'Islands']) {
    await page.getByLabel(name).check();
    await view3d.untilPixels((picture) => pixelsChanged(picture, plain) > 150, name);
    await page.getByLabel(name).uncheck();
    await view3d.untilPixels((picture) => pixelsChanged(picture, plain) < 50, `without ${name}`);
  }
  await view3d.untilAddress((address) => address.get('show') === 'none');
});

pageTest('a deeper octree has more cells', { hash: 'view=3d&preset=gas&show=octree&depth=1' }, async ({ page, view3d }) => {
  const few = pixelsOf(await view3d.settled(), INKS.O);
  await page.locator('#depth').fill('5');
  await view3d.untilPixels((picture) => pixelsOf(picture, INKS.O) > few * 1.5, 'more cells');
  await view3d.untilAddress((address) => address.get('depth') === '5');
});

pageTest('bodies are colored by their level in the octree, the strict one of the study too', { hash: 'view=3d&preset=spheres&show=octree' }, async ({ page, view3d }) => {
  await view3d.go(100);
  const plain = await view3d.settled();
  await page.locator('.stage-colours').getByText('Level', { exact: true }).click();
  await view3d.untilAddress((address) => address.get('colour') === 'level');
  await view3d.untilPixels((picture) => pixelsChanged(picture, plain) > 1000, 'other colors');
  const counts = () => page.locator('.stage-legend-3d [data-level]').evaluateAll((items) => items.map((item) => Number(item.getAttribute('data-count'))));
  const loose = await until(counts, (now) => assert.ok(now.length > 1));
  // The floor has no end, and so no cell.
  assert.equal(loose.reduce((sum, count) => sum + count, 0), 60);

  await view3d.solver('baseline');
  await view3d.field('broad-phase').selectOption('octree-strict');
  await page.locator('#broad-phase option[value=octree-strict]:checked').waitFor({ state: 'attached' });
  await until(counts, (now) => assert.equal(now.reduce((sum, count) => sum + count, 0), 60));
  await page.locator('.stage-legend-3d').getByText('Level 0 (root)').waitFor();
});

pageTest('the legend lists the colors in use', { hash: 'view=3d&preset=dzhanibekov' }, async ({ page, view3d }) => {
  const legend = () => page.locator('.stage-legend li').allInnerTexts();
  await untilEqual(legend, ['Other', 'Touching', 'Free']);
  await view3d.preset('ramp');
  await untilEqual(legend, ['Sphere', 'Box', 'Fixed', 'Touching', 'Free']);
  await page.getByText('State', { exact: true }).click();
  await untilEqual(legend, ['Fixed', 'Touching', 'Free']);
});

pageTest('the selected body is labeled, wherever it is', { hash: 'view=3d&preset=pyramid' }, async ({ page, view3d }) => {
  const box = await view3d.stage.boundingBox();
  assert.ok(box !== null);
  const [x, y] = [box.x + box.width / 2, box.y + box.height * 0.6];
  await page.mouse.click(x, y);
  const name = await page.locator('.objects-table tr.marked .row-button').innerText();
  await page.locator('.stage-mark').getByText(name).waitFor();
  const near = await page.locator('.stage-mark').boundingBox();
  assert.ok(near !== null && Math.hypot(near.x - x, near.y - y) < 60, JSON.stringify(near));
  await view3d.stage.press('+');
  await page.waitForFunction((before) => (document.querySelector('.stage-mark')?.getBoundingClientRect().y ?? before) > before + 4, near.y);
  await view3d.stage.press('Escape');
  await page.locator('.stage-mark').waitFor({ state: 'hidden' });
});

pageTest('the timeline shows the number of contacts, also of steps after the current one', { hash: 'view=3d&preset=ramp' }, async ({ page, view3d }) => {
  const points = () => page.locator('.timeline-curve path').evaluate((path) => (path.getAttribute('d') ?? '').split('L').length - 2);
  for (const step of [20, 40, 60]) {
    await view3d.go(step);
  }
  await page.waitForFunction(() => (document.querySelector('.timeline-curve path')?.getAttribute('d') ?? '').split('L').length - 2 >= 4);
  const known = await points();
  await view3d.go(20);
  await untilEqual(points, known, 'seeking back keeps the curve');
  await view3d.preset('pyramid');
  await view3d.untilBodies(106);
  await page.waitForFunction(() => (document.querySelector('.timeline-curve path')?.getAttribute('d') ?? '').split('L').length - 2 === 1);
});

pageTest('the camera orbits, zooms and resets, by mouse and by keys', { hash: 'view=3d&preset=pyramid' }, async ({ page, view3d }) => {
  // The focus ring is part of every picture.
  await view3d.stage.press('Home');
  const home = await view3d.settled();
  const box = await view3d.stage.boundingBox();
  assert.ok(box !== null);
  await page.mouse.move(box.x + 60, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + 200, box.y + 90, { steps: 4 });
  await page.mouse.up();
  await view3d.untilPixels((picture) => pixelsChanged(picture, home) > 5000, 'drag');
  // The last picture of the drag must not be mistaken for that of the wheel.
  const turned = await view3d.settled();
  await page.mouse.wheel(0, -200);
  await view3d.untilPixels((picture) => pixelsChanged(picture, turned) > 5000, 'wheel');
  await view3d.settled();
  await view3d.stage.press('Home');
  await view3d.untilPixels((picture) => pixelsChanged(picture, home) < 50, 'home');
  await view3d.stage.press('ArrowLeft');
  await view3d.stage.press('+');
  await view3d.untilPixels((picture) => pixelsChanged(picture, home) > 5000, 'keys');
});

const LOSSES = /context lost|CONTEXT_LOST|Context (Lost|Restored)|GL Driver|does not belong to this context/i;

pageTest('a lost context is restored', { hash: 'view=3d&preset=pyramid&main-thread=1', expectedErrors: LOSSES }, async ({ page, view3d }) => {
  const before = await view3d.settled();
  await page.evaluate(() => {
    const lose = document.querySelector('canvas')?.getContext('webgl2')?.getExtension('WEBGL_lose_context');
    if (lose === undefined || lose === null) throw new Error('there is no picture to lose');
    globalThis.lose = lose;
    lose.loseContext();
  });
  await view3d.untilPixels((picture) => pixelsChanged(picture, before) > 20_000, 'nothing');
  await page.evaluate(() => globalThis.lose.restoreContext());
  await view3d.untilPixels((picture) => pixelsChanged(picture, before) < 200, 'the same picture');
  await view3d.go(5);
});

pageTest('a context lost in a worker is restored', {
  hash: 'view=3d&preset=pyramid',
  expectedErrors: LOSSES,
  // The worker's script, extended to record its context.
  prepare: (page) => page.route('**/stage-worker-*.js', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: `${REMEMBERS}${await answer.text()}` });
  }),
}, async ({ page, view3d }) => {
  await view3d.stage.press('Home');
  const before = await view3d.settled();
  const [worker] = page.workers();
  assert.ok(worker !== undefined);
  const isLost = await worker.evaluate(() => {
    const drawnWith = globalThis.drawnWith.at(-1);
    globalThis.lose = drawnWith.getExtension('WEBGL_lose_context');
    globalThis.lose.loseContext();
    return drawnWith.isContextLost();
  });
  assert.ok(isLost);
  await view3d.stage.press('ArrowLeft');
  await worker.evaluate(() => globalThis.lose.restoreContext());
  await view3d.untilPixels((picture) => pixelsChanged(picture, before) > 5000, 'the camera that was turned meanwhile');
  await view3d.stage.press('Home');
  await view3d.untilPixels((picture) => pixelsChanged(picture, before) < 200, 'the same picture');
});

const REMEMBERS = `{
  const { getContext } = OffscreenCanvas.prototype;
  globalThis.drawnWith = [];
  OffscreenCanvas.prototype.getContext = function (...given) {
    const context = getContext.apply(this, given);
    if (context instanceof WebGL2RenderingContext) globalThis.drawnWith.push(context);
    return context;
  };
}
`;

pageTest('without WebGL the world runs all the same, and the page says so', {
  hash: 'view=3d&preset=ramp&main-thread=1',
  before: () => {
    for (const canvas of [HTMLCanvasElement, OffscreenCanvas]) {
      const { getContext } = canvas.prototype;
      canvas.prototype.getContext = function (kind, ...more) {
        return /webgl/.test(kind) ? null : getContext.call(this, kind, ...more);
      };
    }
  },
}, async ({ page, view3d }) => {
  await page.locator('.stage-note').getByText(/draws no 3D picture/).waitFor();
  const start = await view3d.hash();
  await view3d.go(30);
  assert.notEqual(await view3d.hash(), start);
  await view3d.stage.press(']');
  await view3d.stage.press('t');
  await view3d.untilBodies(65);
  await view3d.stage.press('d');
  await view3d.untilAnnounced(/your own scene|Ramp and obstacles: 65 bodies/i);
});

pageTest('a browser that draws only on the main thread shows the world there', {
  hash: 'view=3d&preset=pyramid',
  before: () => {
    delete globalThis.OffscreenCanvas;
    delete HTMLCanvasElement.prototype.transferControlToOffscreen;
  },
}, async ({ page, view3d }) => {
  await view3d.untilPixels((picture) => pixelsOf(picture, '#8a84d6') + pixelsChanged(picture, { ...picture, data: new Uint8Array(picture.data.length).fill(14) }) > 20_000, 'the pyramid');
  assert.equal(await page.locator('.stage-note').count(), 0);
  assert.equal(page.workers().length, 0);
});

pageTest('the wheel scrolls the page past the stage', { hash: 'view=3d&preset=pyramid', viewport: { width: 1200, height: 600 } }, async ({ page, view3d }) => {
  const box = await view3d.stage.boundingBox();
  assert.ok(box !== null);
  const still = await view3d.settled();
  await page.mouse.move(box.x + 200, box.y + 200);
  await page.mouse.wheel(0, 100);
  await page.waitForFunction(() => scrollY >= 90);
  await page.evaluate(() => scrollTo(0, 0));
  assert.ok(pixelsChanged(await view3d.settled(), still) < 50, 'the view stays');
  // A click on the stage enables the wheel.
  await page.mouse.click(box.x + 30, box.y + 300);
  const clicked = await view3d.settled();
  await page.mouse.wheel(0, 100);
  await view3d.untilPixels((picture) => pixelsChanged(picture, clicked) > 3000, 'zoomed');
  assert.equal(await page.evaluate(() => scrollY), 0);
});

pageTest('so does a finger; two fingers zoom', { hash: 'view=3d&preset=pyramid', viewport: PHONE, touch: true }, async ({ page, context, view3d }, t) => {
  const fingers = await context.newCDPSession(page);
  const box = await view3d.stage.boundingBox();
  assert.ok(box !== null);
  // While the camera is in its home position, vertical touch gestures scroll the page.
  const whose = () => view3d.stage.evaluate((element) => element.style.touchAction);
  await untilEqual(whose, 'pan-y');
  const still = await view3d.settled();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  for (const [type, apart] of /** @type {const} */ ([['touchStart', 30], ['touchMove', 50], ['touchMove', 90], ['touchEnd', null]])) {
    const touchPoints = apart === null ? [] : [{ x: x - apart, y, id: 0 }, { x: x + apart, y, id: 1 }];
    await fingers.send('Input.dispatchTouchEvent', { type, touchPoints });
  }
  await view3d.untilPixels((picture) => pixelsChanged(picture, still) > 3000, 'zoomed');
  assert.equal(await page.evaluate(() => visualViewport?.scale), 1, 'the page itself is not zoomed');
  // The user has moved the camera; after a reset the page scrolls again.
  await untilEqual(whose, 'none');
  // After two simultaneous touches the browser sometimes fires no click for a tap, although the
  // page receives its pointer events. As a user would, tap again; one of the taps must act.
  const fit = page.getByRole('button', { name: 'Fit' });
  await fit.evaluate((button) => {
    globalThis.clicks = 0;
    button.addEventListener('click', () => (globalThis.clicks += 1));
  });
  await fit.tap();
  await sleep(CLICK_MS);
  if ((await page.evaluate(() => globalThis.clicks)) === 0) {
    t.diagnostic('the browser made no click of the first tap');
    await fit.tap();
  }
  await untilEqual(whose, 'pan-y');
});

pageTest('impacts are audible with sound on', {
  hash: 'view=3d&preset=spheres',
  motion: 'no-preference',
  before: () => {
    globalThis.onsets = 0;
    for (const source of [AudioScheduledSourceNode, AudioBufferSourceNode]) {
      const { start } = source.prototype;
      source.prototype.start = function (...given) {
        globalThis.onsets += 1;
        return start.apply(this, given);
      };
    }
  },
}, async ({ page, view3d }) => {
  await view3d.pastStep(10);
  assert.equal(await page.evaluate(() => globalThis.onsets), 0);
  await page.getByRole('button', { name: 'Sound', exact: true }).click();
  await view3d.untilAnnounced('Sound on.');
  await page.waitForFunction(() => globalThis.onsets >= 5);
});

pageTest('another address shows another scene', { hash: 'view=3d&preset=pyramid' }, async ({ page, view3d }) => {
  await page.evaluate(() => history.replaceState(null, '', '#view=3d&preset=cards'));
  await page.evaluate(() => dispatchEvent(new HashChangeEvent('hashchange')));
  await page.locator('#stage-title').getByText('Card house').waitFor();
  await view3d.untilBodies(27);
});

pageTest('a link to the other view opens it, however slow the loading', { hash: 'view=3d&preset=pyramid' }, async ({ page, view }) => {
  let letCome = () => undefined;
  const mayCome = new Promise((resolve) => (letCome = () => void resolve(undefined)));
  await page.route('**/*broad2d*.wasm', async (route) => {
    await mayCome;
    await route.continue();
  });
  const isAskedFor = page.waitForRequest('**/*broad2d*.wasm');
  await page.evaluate(() => (location.hash = '#n=123&seed=7'));
  await isAskedFor;
  // Longer than the delay of address writes.
  await page.waitForTimeout(500);
  assert.equal(await page.getByText(/could not be read/).count(), 0);
  assert.equal(view.address().get('n'), '123');
  letCome();
  await view.started();
  assert.equal(await view.figure('objects'), 123);
});

pageTest('an engine that cannot be fetched is reported, and can be restarted', {
  hash: 'view=3d&preset=pyramid',
  skipStart: true,
  expectedErrors: /./,
  prepare: (page) => page.route('**/*simulator3d*.wasm', (route) => route.fulfill({ status: 404, body: 'gone' })),
}, async ({ page, view3d }) => {
  await page.getByRole('alert').getByText('The engine stopped').waitFor();
  await page.unroute('**/*simulator3d*.wasm');
  await page.getByRole('button', { name: 'Start again' }).click();
  await view3d.started();
  await view3d.untilBodies(106);
});
