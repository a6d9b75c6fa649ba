/**
 * Speed with a thousand boxes.
 *
 * A step is compared with the native program on one thread, by the best of several tries of either,
 * because other processes slow down both at different times. The program is that of `EMBATE_BIN`,
 * and the test reports its profile. The build of `cargo xtask test` is barely optimized: compared
 * with it, the test only prevents large regressions. For a comparison with what users have, set it
 * to `target/release/embate`.
 */

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { assertResponseTime, installResponseTimer } from '../harness/response-time.mjs';
import { profile, simulatedMs } from '../harness/program.mjs';
import { pageTest } from '../harness/page-test.mjs';

const STEPS = 120;
const TRIES = 5;
/** Maximum ratio of a step in the page to one of the program. */
const MOST_TIMES = 3;

pageTest('a step of a thousand boxes takes at most three times as long as in the native program, on one thread', { hash: 'view=3d&preset=thousand' }, async ({ page, view3d }, t) => {
  const folder = await mkdtemp(join(tmpdir(), 'embate-thousand-'));
  try {
    const scene = join(folder, 'thousand.json');
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save', exact: true }).click()]);
    await file.saveAs(scene);
    let [here, there] = [Infinity, Infinity];
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      // Reopened, because visited steps are cached.
      await view3d.preset('cradle');
      await view3d.preset('thousand');
      await view3d.untilBodies(1001);
      await view3d.go(STEPS);
      const parts = await page.locator('[data-cost] .now').allInnerTexts();
      here = Math.min(here, parts.reduce((sum, part) => sum + Number(part), 0));
      there = Math.min(there, (await simulatedMs(scene, STEPS)) / STEPS);
    }
    t.diagnostic(`a step takes ${here.toFixed(2)} ms here and ${there.toFixed(2)} ms in the program (${profile()}): ${(here / there).toFixed(2)} times`);
    assert.ok(here <= MOST_TIMES * there, `${here} ms and ${there} ms`);
  } finally {
    await rm(folder, { recursive: true });
  }
});

/** @type {import('../harness/response-time.mjs').Control[]} */
const CONTROLS = [
  { name: 'play and pause', watch: '.toolbar .play', at: '.toolbar .play', keys: ['Enter', 'Enter'] },
  { name: 'step, which pauses, and play', watch: '.toolbar .play', at: '.stage', keys: ['.', ' '] },
  { name: 'select a body', watch: '#selection-title', at: '.stage', keys: [']', ']'] },
  { name: 'theme', watch: 'html[data-theme]', at: '.settings select:nth-of-type(2)', keys: ['ArrowDown', 'ArrowUp'] },
  { name: 'gravity off and on', watch: '.panel-form', at: 'label:has-text("Gravity") input', keys: [' ', ' '] },
  { name: 'a mass that was typed', watch: 'tr.marked td:nth-of-type(1)', at: '#body-mass', keys: ['Enter', 'Enter'], types: ['2', '3'] },
];

/** The page's update interval of numbers, and a margin. */
const FIGURES_MS = 250;

/**
 * Controls whose response is a state of the world.
 *
 * @type {import('../harness/response-time.mjs').Control[]}
 */
const OF_THE_WORLD = [
  { name: 'one step back and forth on the timeline', watch: '[data-hash]', at: '.timeline-scrub', keys: ['ArrowLeft', 'ArrowRight'] },
  { name: 'a push, and undo', watch: '[data-hash]', at: '.stage', keys: ['Shift+PageUp', 'u'] },
  { name: 'redo, and undo', watch: '[data-hash]', at: '.stage', keys: ['y', 'u'] },
];

pageTest(
  'with a thousand boxes running, every control responds within 50 ms including paint: the median of its tries',
  { hash: 'view=3d&preset=thousand', motion: 'no-preference', before: installResponseTimer },
  async ({ page, view3d }, t) => {
    const ready = async (/** @type {boolean} */ isFirst) => view3d.pastStep(isFirst ? (await view3d.step()) + 1 : 0);
    await view3d.stage.press('[');
    await page.locator('tr.marked').waitFor();
    for (const control of CONTROLS) await assertResponseTime(page, control, ready, t);
  },
);

pageTest(
  'with a thousand boxes paused, a step back or an edit responds within 50 ms including paint: the median of its tries',
  { hash: 'view=3d&preset=thousand', before: installResponseTimer },
  async ({ page, view3d }, t) => {
    await view3d.go(60);
    await view3d.stage.press('[');
    await page.locator('tr.marked').waitFor();
    // Numbers are throttled to five updates per second; a single action is not delayed by that.
    const ready = () => page.waitForTimeout(FIGURES_MS);
    for (const control of OF_THE_WORLD) await assertResponseTime(page, control, ready, t);
  },
);
