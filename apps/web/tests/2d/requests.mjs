/** Requests and responses with a busy engine and a quick user. */

import assert from 'node:assert/strict';

import { pageTest } from '../harness/page-test.mjs';

pageTest('a step during playback announces the frame it has reached', { hash: 'n=100', motion: 'no-preference' }, async ({ page, view }) => {
  await view.untilFrame(5);
  await view.stage.press('.');
  await view.untilAnnounced(/^Frame [\d,]+: /);
  const text = /^Frame ([\d,]+)/.exec((await page.getByRole('status').textContent()) ?? '')?.[1] ?? '';
  await page.locator('.toolbar .play').getByText('Play').waitFor();
  const frame = Number(text.replace(',', ''));
  await view.untilFrame(frame);
  assert.equal(await view.frame(), frame);
});

pageTest('of two links opened at once the second is shown, without a notice about the first', {}, async ({ page, view }) => {
  await page.evaluate(() => {
    location.hash = '#n=0&s=90-10&seed=5';
    location.hash = '#n=50&seed=6';
  });
  await untilObjects(page, '50');
  await view.untilAddress((address) => address.get('n') === '50' && address.get('seed') === '6');
  assert.equal(await page.locator('.notice').count(), 0);
  assert.equal(await view.field('maxSize').inputValue(), '16');
});

pageTest('the notice about an invalid link disappears with the next valid one', {}, async ({ page }) => {
  await page.evaluate(() => (location.hash = '#n=none'));
  await page.locator('.notice').getByText('total objects').waitFor();
  await page.evaluate(() => (location.hash = '#n=33'));
  await untilObjects(page, '33');
  await page.locator('.notice').waitFor({ state: 'detached' });
});

pageTest('a link without a selected object clears the selection', { hash: 'n=40&sel=7' }, async ({ page, view }) => {
  await page.locator('#selection-title').getByText('Object 7').waitFor();
  await page.evaluate(() => (location.hash = '#n=41'));
  await untilObjects(page, '41');
  await page.locator('#selection-title').getByText('Selected object').waitFor();
  await view.untilAddress((address) => address.get('n') === '41' && !address.has('sel'));
});

pageTest('an experiment that is canceled and run again at once is run', { hash: 'n=8000&t=tree&frames=5000&tech=study-brute' }, async ({ page, view }) => {
  const progress = page.locator('.experiment-progress');
  await view.runButton.click();
  await progress.waitFor();
  await view.runButton.click();
  await progress.waitFor({ state: 'detached' });
  await view.field('frames').fill('1');
  await view.runButton.click();
  await view.experiments.locator('.table tbody tr').waitFor();
  await progress.waitFor({ state: 'detached' });
  assert.equal((await view.results()).length, 1);
  assert.equal(await view.experiments.getByText('Canceled:').count(), 0);
});

pageTest('a run canceled before its first case keeps the earlier results', { hash: 'n=6000&t=tree&frames=1&tech=tree' }, async ({ page, view }) => {
  await view.run();
  const before = await view.results();
  assert.equal(before.length, 1);
  await view.field('frames').fill('10000');
  await view.runButton.click();
  await page.locator('.experiment-progress').waitFor();
  await view.runButton.click();
  await page.locator('.experiment-progress').waitFor({ state: 'detached' });
  assert.deepEqual(await view.results(), before);
  assert.equal(await view.experiments.getByText('Canceled:').count(), 0);
});

pageTest(
  'a technique chosen during the first frame of a slow link is kept',
  { hash: 'w=12000&h=9000&n=60000&t=study-brute', skipStart: true, motion: 'no-preference' },
  async ({ page, view }) => {
    await page.locator('.stage-line').getByText('Searching…').waitFor();
    await page.locator('#technique').selectOption('sweep');
    await view.untilAddress((address) => address.get('t') === 'sweep');
    await view.untilFrame(3);
    assert.equal(await page.locator('#technique').inputValue(), 'sweep');
    assert.equal(await page.getByRole('status').textContent(), '');
  },
);

pageTest('Run shows at once that it is queued behind a slow response, and can be canceled', { hash: 'w=12000&h=9000&n=60000&t=sweep&frames=1&tech=sweep' }, async ({ page, view }) => {
  await page.locator('#technique').selectOption('study-brute');
  await view.runButton.click();
  await view.experiments.getByText('Starts when the current search is done.').waitFor();
  await view.runButton.click();
  await page.locator('.experiment-progress').waitFor({ state: 'detached' });
  assert.equal(await view.experiments.locator('.table').count(), 0);
});

pageTest('a world of another size is shown whole, and the wheel scrolls the page there', { viewport: { width: 1200, height: 500 } }, async ({ page, view }) => {
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await page.waitForFunction(() => document.querySelector('.stage')?.style.touchAction === 'none');
  await view.enter('width', 1500);
  await page.waitForFunction(() => document.querySelector('.stage')?.style.touchAction === 'pan-y');
  await page.evaluate(() => scrollTo(0, 0));
  await view.stage.hover();
  const before = await page.evaluate(() => scrollY);
  await page.mouse.wheel(0, 200);
  await page.waitForFunction((from) => scrollY > from + 100, before);
});

pageTest('the main-thread option stays in the address, and not in shared links', { hash: 'main-thread=1&n=99' }, async ({ page, view }) => {
  await view.untilAddress((address) => address.has('seed') && address.get('main-thread') === '1');
  await page.getByRole('button', { name: 'Link' }).click();
  await view.untilAnnounced('Link copied.');
  assert.doesNotMatch(await page.evaluate(() => navigator.clipboard.readText()), /main-thread/);
});

pageTest(
  'an invalid scene requested from a busy engine leaves the running scene and its selection unchanged',
  { hash: 'n=40&sel=7', motion: 'no-preference', prepare: firstEngineIsSlow },
  async ({ page, view }) => {
    const raised = [...page.workers()];
    page.on('worker', (worker) => raised.push(worker));
    await view.untilFrame(2);
    const frame = await view.frame();
    assert.match(await view.refused('objects', '0'), /^At least 1/);
    await view.untilFrame(frame + 30);
    assert.equal(raised.length, 2, 'the unresponsive worker was replaced');
    assert.equal(await view.figure('objects'), 40);
    assert.equal(await page.locator('#selection-title').innerText(), 'Object 7');
    assert.equal(await page.locator('.trouble').count(), 0);
    assert.equal(await page.locator('#objects-problem').count(), 1, 'the field is still invalid');
  },
);

pageTest(
  'another technique takes effect during a long frame, and continues the same world',
  { hash: 'n=40&sel=7&boxes=1', motion: 'no-preference', prepare: firstEngineIsSlow },
  async ({ page, view }) => {
    await view.untilFrame(2);
    await view.field('technique').selectOption('tree');
    await view.untilAddress((address) => address.get('t') === 'tree' && address.get('sel') === '7');
    assert.ok((await view.frame()) >= 2, 'not from its start');
    await view.untilFrame(60);
    assert.equal(await page.locator('#selection-title').innerText(), 'Object 7');
  },
);

/**
 * The first engine simulates two frames and then takes twenty seconds for each, like brute force:
 * afterwards it
 * is unresponsive.
 *
 * @param {import('playwright-core').Page} page
 */
async function firstEngineIsSlow(page) {
  let isFirst = true;
  await page.route('**/stage-worker-*.js', async (route) => {
    const response = await route.fetch();
    const slow = `
      const load = WebAssembly.instantiateStreaming;
      WebAssembly.instantiateStreaming = async (...given) => {
        const { instance, module } = await load.apply(WebAssembly, given);
        let frames = 0;
        const advance = (...args) => {
          frames += 1;
          // Long enough for a report each.
          const until = performance.now() + (frames <= 2 ? 100 : 20_000);
          while (performance.now() < until);
          return instance.exports.run_advance(...args);
        };
        const exports = new Proxy({}, { get: (_, name) => (name === 'run_advance' ? advance : instance.exports[name]) });
        return { instance: { exports }, module };
      };\n`;
    await route.fulfill({ response, body: (isFirst ? slow : '') + (await response.text()) });
    isFirst = false;
  });
}

/**
 * @param {import('playwright-core').Page} page
 * @param {string} count
 */
async function untilObjects(page, count) {
  await page.waitForFunction((wanted) => document.querySelector('[data-figure="objects"] .now')?.textContent === wanted, count);
}
