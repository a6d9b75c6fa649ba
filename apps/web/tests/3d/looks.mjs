/** Is the world drawn, with what was asked for, and again when the picture was lost? */

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

import { PHONE } from '../harness/browser.mjs';
import { pixelsChanged, pixelsOf } from '../harness/png.mjs';
import { promise } from '../harness/promise.mjs';
import { untilEqual } from '../harness/until.mjs';

/** A click follows its tap sooner. */
const CLICK_MS = 1000;

const INKS = { B: '#cc79a7', C: '#ff6a3d', N: '#00d19a', O: '#e69f00', V: '#e6edf3' };

promise('every overlay is drawn on request, by key or by box', { hash: 'view=3d&preset=hulls&show=none' }, async ({ page, view3d }) => {
  await view3d.go(60);
  const plain = await view3d.settled();
  assert.ok(pixelsChanged(plain, { ...plain, data: new Uint8Array(plain.data.length).fill(14) }) > 20_000, 'something is drawn');
  for (const [key, ink] of Object.entries(INKS)) {
    const before = pixelsOf(plain, ink);
    await view3d.stage.press(key.toLowerCase());
    await view3d.untilPixels((picture) => pixelsOf(picture, ink) > before + 60, key);
    await view3d.stage.press(key.toLowerCase());
    await view3d.untilPixels((picture) => pixelsOf(picture, ink) <= before + 5, key);
  }
  for (const name of ['Grid', 'Islands']) {
    await page.getByLabel(name).check();
    await view3d.untilPixels((picture) => pixelsChanged(picture, plain) > 150, name);
    await page.getByLabel(name).uncheck();
    await view3d.untilPixels((picture) => pixelsChanged(picture, plain) < 50, `without ${name}`);
  }
  await view3d.untilAddress((address) => address.get('show') === 'none');
});

promise('a deeper octree has more cells', { hash: 'view=3d&preset=gas&show=octree&depth=1' }, async ({ page, view3d }) => {
  const few = pixelsOf(await view3d.settled(), INKS.O);
  await page.locator('#depth').fill('5');
  await view3d.untilPixels((picture) => pixelsOf(picture, INKS.O) > few * 1.5, 'more cells');
  await view3d.untilAddress((address) => address.get('depth') === '5');
});

promise('the legend tells the colours that are there', { hash: 'view=3d&preset=dzhanibekov' }, async ({ page, view3d }) => {
  const legend = () => page.locator('.stage-legend li').allInnerTexts();
  await untilEqual(legend, ['Other', 'Touching', 'Free']);
  await view3d.preset('ramp');
  await untilEqual(legend, ['Sphere', 'Box', 'Static', 'Touching', 'Free']);
  await page.getByText('State', { exact: true }).click();
  await untilEqual(legend, ['Static', 'Touching', 'Free']);
});

promise('what is selected is named beside it, wherever it is', { hash: 'view=3d&preset=pyramid' }, async ({ page, view3d }) => {
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

promise('over the timeline stands how many contacts there were, also of what is to come again', { hash: 'view=3d&preset=ramp' }, async ({ page, view3d }) => {
  const points = () => page.locator('.timeline-curve path').evaluate((path) => (path.getAttribute('d') ?? '').split('L').length - 2);
  for (const step of [20, 40, 60]) {
    await view3d.go(step);
  }
  await page.waitForFunction(() => (document.querySelector('.timeline-curve path')?.getAttribute('d') ?? '').split('L').length - 2 >= 4);
  const known = await points();
  await view3d.go(20);
  await untilEqual(points, known, 'going back forgets nothing');
  await view3d.preset('pyramid');
  await view3d.untilBodies(106);
  await page.waitForFunction(() => (document.querySelector('.timeline-curve path')?.getAttribute('d') ?? '').split('L').length - 2 === 1);
});

promise('the view is turned, zoomed and brought back, by mouse and by keys', { hash: 'view=3d&preset=pyramid' }, async ({ page, view3d }) => {
  // The ring of the focus is part of every picture.
  await view3d.stage.press('Home');
  const home = await view3d.settled();
  const box = await view3d.stage.boundingBox();
  assert.ok(box !== null);
  await page.mouse.move(box.x + 60, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + 200, box.y + 90, { steps: 4 });
  await page.mouse.up();
  await view3d.untilPixels((picture) => pixelsChanged(picture, home) > 5000, 'drag');
  // Before the last of the drag is drawn, it could pass for the wheel's.
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

promise('a lost picture comes back', { hash: 'view=3d&preset=pyramid&main-thread=1', mayComplain: LOSSES }, async ({ page, view3d }) => {
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

promise('a picture that a worker lost comes back', {
  hash: 'view=3d&preset=pyramid',
  mayComplain: LOSSES,
  // The worker's own script, that remembers what it draws with.
  prepare: (page) => page.route('**/worker-*.js', async (route) => {
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
  await view3d.untilPixels((picture) => pixelsChanged(picture, before) > 5000, 'the view that was turned meanwhile');
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

promise('where nothing can be drawn the world runs all the same, and that is said', {
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
  await view3d.untilSaid(/your own scene|Ramp and obstacles: 65 bodies/i);
});

promise('a browser that draws on its own thread alone shows the world there', {
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

promise('nobody who scrolls is caught on the stage, by wheel', { hash: 'view=3d&preset=pyramid', viewport: { width: 1200, height: 600 } }, async ({ page, view3d }) => {
  const box = await view3d.stage.boundingBox();
  assert.ok(box !== null);
  const still = await view3d.settled();
  await page.mouse.move(box.x + 200, box.y + 200);
  await page.mouse.wheel(0, 100);
  await page.waitForFunction(() => scrollY >= 90);
  await page.evaluate(() => scrollTo(0, 0));
  assert.ok(pixelsChanged(await view3d.settled(), still) < 50, 'the view stays');
  // Whoever clicked it means it.
  await page.mouse.click(box.x + 30, box.y + 300);
  const clicked = await view3d.settled();
  await page.mouse.wheel(0, 100);
  await view3d.untilPixels((picture) => pixelsChanged(picture, clicked) > 3000, 'zoomed');
  assert.equal(await page.evaluate(() => scrollY), 0);
});

promise('nor by finger; two fingers zoom', { hash: 'view=3d&preset=pyramid', viewport: PHONE, touch: true }, async ({ page, context, view3d }, t) => {
  const fingers = await context.newCDPSession(page);
  const box = await view3d.stage.boundingBox();
  assert.ok(box !== null);
  // What goes up or down over a view that nobody moved is the browser's, which scrolls the page by it.
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
  // Now the view is theirs; back home the page is.
  await untilEqual(whose, 'none');
  // Of a finger that comes soon after two others the browser sometimes makes no click, though the page sees it on the button
  // and lifted. Whoever sees that nothing happened taps again; what was clicked must do it.
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

promise('hits are heard when asked for', {
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
  await view3d.untilSaid('Sound on.');
  await page.waitForFunction(() => globalThis.onsets >= 5);
});

promise('another address shows another scene', { hash: 'view=3d&preset=pyramid' }, async ({ page, view3d }) => {
  await page.evaluate(() => history.replaceState(null, '', '#view=3d&preset=cards'));
  await page.evaluate(() => dispatchEvent(new HashChangeEvent('hashchange')));
  await page.locator('#stage-title').getByText('Card house').waitFor();
  await view3d.untilBodies(27);
});

promise('a link to the other view is left to it, however long that takes to come', { hash: 'view=3d&preset=pyramid' }, async ({ page, view }) => {
  let letCome = () => undefined;
  const mayCome = new Promise((resolve) => (letCome = () => void resolve(undefined)));
  await page.route('**/*broad2d*.wasm', async (route) => {
    await mayCome;
    await route.continue();
  });
  const isAskedFor = page.waitForRequest('**/*broad2d*.wasm');
  await page.evaluate(() => (location.hash = '#n=123&seed=7'));
  await isAskedFor;
  // Longer than any view waits before it writes the address.
  await page.waitForTimeout(500);
  assert.equal(await page.getByText(/could not be read/).count(), 0);
  assert.equal(view.address().get('n'), '123');
  letCome();
  await view.started();
  assert.equal(await view.figure('objects'), 123);
});

promise('an engine that cannot be fetched says so, and starts again when it can', {
  hash: 'view=3d&preset=pyramid',
  unstarted: true,
  mayComplain: /./,
  prepare: (page) => page.route('**/*simulator3d*.wasm', (route) => route.fulfill({ status: 404, body: 'gone' })),
}, async ({ page, view3d }) => {
  await page.getByRole('alert').getByText('The engine stopped').waitFor();
  await page.unroute('**/*simulator3d*.wasm');
  await page.getByRole('button', { name: 'Start again' }).click();
  await view3d.started();
  await view3d.untilBodies(106);
});
