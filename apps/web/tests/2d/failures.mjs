/** Failures: a message and a way to recover, never a blank page. */

import assert from 'node:assert/strict';

import { pageTest } from '../harness/page-test.mjs';
import { untilEqual } from '../harness/until.mjs';

const BROKEN = /wasm|WebAssembly|worker|Failed to load resource|unreachable|dynamically imported module|engine/i;

pageTest(
  'a missing engine is reported, and can be restarted',
  {
    skipStart: true,
    expectedErrors: BROKEN,
    prepare: (page) => page.route('**/*.wasm', (route) => route.fulfill({ status: 404, body: 'gone' })),
  },
  async ({ page, view }) => {
    await comesBack(page, view);
  },
);

pageTest(
  'an engine that fails to compile is reported, and can be restarted',
  {
    skipStart: true,
    expectedErrors: BROKEN,
    prepare: (page) =>
      page.route('**/*.wasm', async (route) => {
        const response = await route.fetch();
        const body = await response.body();
        await route.fulfill({ response, body: body.subarray(0, body.length / 2) });
      }),
  },
  async ({ page, view }) => {
    await comesBack(page, view);
  },
);

pageTest(
  'an engine that fails while playing is reported, and restarts with the same scene',
  { skipStart: true, expectedErrors: BROKEN, motion: 'no-preference', hash: 'n=77&t=tree', prepare: trapAfterFrames },
  async ({ page, view }) => {
    await view.started();
    await comesBack(page, view);
    assert.equal(await view.figure('objects'), 77);
    assert.equal(await view.field('technique').inputValue(), 'tree');
    await view.untilFrame(30);
  },
);

pageTest(
  'a scene that breaks the engine can be replaced by another',
  { skipStart: true, expectedErrors: BROKEN, motion: 'no-preference', prepare: trapAfterFrames },
  async ({ page, view }) => {
    await page.getByRole('alert').waitFor();
    await page.unrouteAll();
    await view.enter('objects', 55);
    await page.waitForFunction(() => document.querySelector('[data-figure="objects"] .now')?.textContent === '55');
    await untilEqual(() => page.getByRole('alert').count(), 0, 'the message is withdrawn');
    await view.untilFrame(30);
  },
);

pageTest(
  'without a worker the main thread draws',
  {
    expectedErrors: BROKEN,
    motion: 'no-preference',
    prepare: (page) => page.route('**/stage-worker-*.js', (route) => route.fulfill({ status: 404, body: 'gone' })),
  },
  async ({ page, view }) => {
    await view.untilFrame(10);
    assert.equal(page.workers().length, 0);
  },
);

pageTest(
  'without OffscreenCanvas everything works on the main thread',
  { before: () => Reflect.deleteProperty(globalThis, 'OffscreenCanvas'), hash: 'n=200&frames=3' },
  async ({ page, view }) => {
    assert.equal(page.workers().length, 0);
    await view.step(3);
    const counts = await view.counts();
    await view.stage.press(']');
    await page.locator('#selection-title').getByText('Object 0').waitFor();
    await view.run();
    assert.ok((await view.results()).length > 5);
    assert.deepEqual(await view.counts(), counts);
    await page.getByRole('button', { name: 'Play' }).click();
    await view.untilFrame(counts.frame + 5);
  },
);

pageTest(
  'an engine that fails on the main thread restarts with a reload and the same scene',
  { skipStart: true, expectedErrors: BROKEN, motion: 'no-preference', hash: 'main-thread=1&n=77', before: trapOnce },
  async ({ page, view }) => {
    const alert = page.getByRole('alert');
    await alert.waitFor();
    await alert.getByRole('button', { name: 'Start again' }).click();
    await alert.waitFor({ state: 'detached' });
    await view.started();
    assert.equal(await view.figure('objects'), 77);
    await view.untilFrame(30);
  },
);

pageTest('the main thread can be requested in the address', { hash: 'main-thread=1&n=99', motion: 'no-preference' }, async ({ page, view }) => {
  await view.untilFrame(3);
  assert.equal(page.workers().length, 0);
  assert.equal(await page.locator('.notice').count(), 0);
});

pageTest(
  'without WebAssembly the page says what is missing',
  { skipStart: true, before: () => Reflect.deleteProperty(globalThis, 'WebAssembly') },
  async ({ page }) => {
    await page.getByRole('alert').getByText('This browser has no WebAssembly').waitFor();
  },
);

pageTest(
  'a view that cannot be fetched is reported, with a button to retry',
  {
    skipStart: true,
    expectedErrors: BROKEN,
    prepare: (page) => page.route('**/view-*.js', (route) => route.abort()),
  },
  async ({ page, view }) => {
    await page.getByRole('alert').getByText('This view could not be loaded').waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Reload the page' }).click();
    await view.started();
  },
);

/**
 * @param {import('playwright-core').Page} page
 * @param {import('../harness/view-2d.mjs').View2d} view
 */
async function comesBack(page, view) {
  const alert = page.getByRole('alert');
  await alert.waitFor();
  assert.match(await alert.innerText(), /^Something went wrong\. The engine stopped: .{10,}/);
  await page.unrouteAll();
  await alert.getByRole('button', { name: 'Start again' }).click();
  await alert.waitFor({ state: 'detached' });
  await view.started();
  assert.ok((await view.figure('tests')) > 0);
}

/** The engine of the context's first page traps at its twentieth frame. Runs in the page. */
function trapOnce() {
  const load = WebAssembly.instantiateStreaming;
  WebAssembly.instantiateStreaming = async (...given) => {
    const { instance, module } = await load.apply(WebAssembly, given);
    let frames = 0;
    const advance = (...args) => {
      frames += 1;
      if (frames === 20 && sessionStorage.getItem('trapped') === null) {
        sessionStorage.setItem('trapped', 'yes');
        throw new WebAssembly.RuntimeError('unreachable');
      }
      return instance.exports.run_advance(...args);
    };
    const exports = new Proxy({}, { get: (_, name) => (name === 'run_advance' ? advance : instance.exports[name]) });
    return { instance: { exports }, module };
  };
}

/**
 * The engine traps at its twentieth frame, as after a panic or out of memory.
 *
 * @param {import('playwright-core').Page} page
 */
async function trapAfterFrames(page) {
  await page.route('**/stage-worker-*.js', async (route) => {
    const response = await route.fetch();
    const trap = `
      const load = WebAssembly.instantiateStreaming;
      WebAssembly.instantiateStreaming = async (...given) => {
        const { instance, module } = await load.apply(WebAssembly, given);
        let frames = 0;
        const exports = new Proxy({}, { get: (_, name) => name !== 'run_advance' ? instance.exports[name] : (...args) => {
          frames += 1;
          if (frames === 20) throw new WebAssembly.RuntimeError('unreachable');
          return instance.exports.run_advance(...args);
        } });
        return { instance: { exports }, module };
      };\n`;
    await route.fulfill({ response, body: trap + (await response.text()) });
  });
}
