/** Seeking back and forth in time. */

import assert from 'node:assert/strict';

import { pageTest } from '../harness/page-test.mjs';

pageTest('seeking back and forth, every step has the same state', { hash: 'view=3d&preset=ramp' }, async ({ page, view3d }) => {
  /** @type {Map<number, string | null>} */
  const hashes = new Map();
  for (const step of [0, 7, 40, 80]) {
    await view3d.go(step);
    hashes.set(step, await view3d.hash());
  }
  assert.equal(new Set(hashes.values()).size, 4);
  for (const step of [40, 0, 80, 7]) {
    await view3d.go(step);
    assert.equal(await view3d.hash(), hashes.get(step), `step ${step}`);
    assert.equal(await view3d.last(), 80);
  }
  await page.locator('.toolbar').getByRole('button', { name: 'Step' }).click();
  await view3d.untilStep(8);
  await page.getByRole('button', { name: 'Back' }).click();
  await view3d.untilStep(7);
  assert.equal(await view3d.hash(), hashes.get(7));
  await view3d.stage.press(',');
  await view3d.untilStep(6);
  await view3d.stage.press('r');
  await view3d.untilStep(0);
  assert.equal(await view3d.hash(), hashes.get(0));
  await view3d.untilAnnounced('Back at the start.');
});

pageTest('however quickly they are pressed, steps back and forth are each one step', { hash: 'view=3d&preset=pyramid' }, async ({ page, view3d }) => {
  await view3d.go(40);
  await view3d.stage.focus();
  for (let press = 0; press < 5; press += 1) await page.keyboard.press(',');
  await view3d.untilStep(35);
  for (const key of ['.', ',', '.', '.', ',']) await page.keyboard.press(key);
  await view3d.untilStep(36);
  assert.equal(await view3d.last(), 40);
});

pageTest('a step back during playback starts from the displayed step, and pauses', { hash: 'view=3d&preset=dzhanibekov', motion: 'no-preference' }, async ({ page, view3d }) => {
  await view3d.pastStep(60);
  await view3d.stage.press(',');
  await page.getByRole('button', { name: 'Play' }).waitFor();
  await page.waitForFunction(() => {
    const element = document.querySelector('[data-step]');
    return Number(element?.getAttribute('data-step')) === Number(element?.getAttribute('data-last')) - 1;
  });
});

pageTest('of several seeks only the last is executed, and a long one can be stopped', { hash: 'view=3d&preset=thousand' }, async ({ page, view3d }) => {
  const scrub = (/** @type {number[]} */ steps) =>
    page.locator('.timeline-scrub').evaluate((/** @type {HTMLInputElement} */ input, all) => {
      input.max = '100000';
      for (const step of all) {
        input.value = String(step);
        input.dispatchEvent(new Event('input', { bubbles: true }));
      }
      input.dispatchEvent(new Event('change', { bubbles: true }));
    }, steps);
  await scrub([90_000, 60_000, 30_000, 12]);
  await view3d.untilStep(12);
  // How far the first seek came depends on the machine; the second was not executed.
  assert.ok((await view3d.last()) < 30_000, `${await view3d.last()}`);

  await scrub([100_000]);
  await page.locator('.timeline-working').getByText(/^Going to step 100,000/).waitFor();
  // Meanwhile the page responds: the camera orbits, a body is selected.
  await page.locator('.row-button').nth(3).click();
  await page.locator('#selection-title').getByText('box 3').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.locator('.timeline-working').waitFor({ state: 'detached' });
  await view3d.pastStep(13);
  const stopped = await view3d.step();
  assert.ok(stopped < 90_000, `${stopped}`);
  await view3d.go(12);
});

pageTest('time passes at the chosen speed, and a long step is simulated too', { hash: 'view=3d&preset=dzhanibekov', motion: 'no-preference' }, async ({ page, view3d }) => {
  const pace = page.locator('.timeline-speed');
  const now = () => page.evaluate(() => ({ at: performance.now(), step: Number(document.querySelector('[data-step]')?.getAttribute('data-step')) }));
  /** Steps per second of the page's clock, over this many. */
  const rate = async (/** @type {number} */ steps) => {
    // Reports from before the speed change may still arrive.
    for (let element = 0; element < 2; element += 1) await view3d.pastStep((await view3d.step()) + 1);
    const from = await now();
    await view3d.pastStep(from.step + steps);
    const to = await now();
    return (to.step - from.step) / ((to.at - from.at) / 1000);
  };
  await pace.selectOption('4');
  await view3d.pastStep(60);
  const fast = await rate(80);
  await pace.selectOption('0.25');
  const slow = await rate(10);
  // Sixteen times on a machine that is never late.
  assert.ok(fast > 3 * slow, `${fast} and ${slow} steps a second`);
  await page.getByRole('button', { name: 'Pause' }).click();

  // A step that is longer than thirty pictures.
  const scene = '{"time_step": 0.5, "gravity": [0, 0, 0], "bodies": [{"shape": {"sphere": {"radius": 1}}, "mass": 1, "velocity": [1, 0, 0]}]}';
  await page.locator('input[type=file]').setInputFiles({ name: 'slow.json', mimeType: 'application/json', buffer: Buffer.from(scene) });
  await view3d.untilStep(0);
  await pace.selectOption('4');
  await page.getByRole('button', { name: 'Play' }).click();
  await view3d.pastStep(3);
});

pageTest('the time is the simulated time, also after a change of the time step', { hash: 'view=3d&preset=dzhanibekov' }, async ({ page, view3d }) => {
  await view3d.go(120);
  await page.locator('.timeline-now strong').getByText('2.000 s').waitFor();
  await page.locator('#time-step-choice').selectOption('120');
  await view3d.go(240);
  await page.locator('.timeline-now strong').getByText('3.000 s').waitFor();
  // An undo of an earlier edit returns to its step, and says so.
  await view3d.stage.press('u');
  await view3d.untilAnnounced('Undone; back at step 120.');
  await view3d.untilStep(120);
});
