/**
 * Is it fast with a thousand boxes?
 *
 * A step is held against the program's own, on one thread, by the best of several tries of either: what else runs on the
 * machine makes both slower, at different moments. The program is the one that `EMBATE_BIN` names, and the test says which
 * that was. That of `cargo xtask test` is hardly optimised: held against it the page is only kept from becoming much slower.
 * Whoever wants to know how it does beside what people have names `target/release/embate`.
 */

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { answersAtOnce, installStopwatch } from '../harness/answers.mjs';
import { profile, simulatedMs } from '../harness/program.mjs';
import { promise } from '../harness/promise.mjs';

const STEPS = 120;
const TRIES = 5;
/** A step of the page against one of the program. */
const MOST_TIMES = 3;

promise('a step of a thousand boxes takes at most three times as long as in the program that serves it, on one thread', { hash: 'view=3d&preset=thousand' }, async ({ page, view3d }, t) => {
  const folder = await mkdtemp(join(tmpdir(), 'embate-thousand-'));
  try {
    const scene = join(folder, 'thousand.json');
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save', exact: true }).click()]);
    await file.saveAs(scene);
    let [here, there] = [Infinity, Infinity];
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      // Opened anew: what was gone to once is known and not computed again.
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

/** @type {import('../harness/answers.mjs').Control[]} */
const CONTROLS = [
  { name: 'play and pause', watch: '.toolbar .play', at: '.toolbar .play', keys: ['Enter', 'Enter'] },
  { name: 'step, which pauses, and play', watch: '.toolbar .play', at: '.stage', keys: ['.', ' '] },
  { name: 'select a body', watch: '#selection-title', at: '.stage', keys: [']', ']'] },
  { name: 'theme', watch: 'html[data-theme]', at: '.settings select:nth-of-type(2)', keys: ['ArrowDown', 'ArrowUp'] },
  { name: 'gravity off and on', watch: '.panel-form', at: 'label:has-text("Gravity") input', keys: [' ', ' '] },
  { name: 'a mass that was typed', watch: 'tr.marked td:nth-of-type(2)', at: '#body-mass', keys: ['Enter', 'Enter'], types: ['2', '3'] },
];

/** The page's own pause between two figures, and a little more. */
const FIGURES_MS = 250;

/**
 * What the world itself has to become before it is answered.
 *
 * @type {import('../harness/answers.mjs').Control[]}
 */
const OF_THE_WORLD = [
  { name: 'one step back and forth on the timeline', watch: '[data-hash]', at: '.timeline-scrub', keys: ['ArrowLeft', 'ArrowRight'] },
  { name: 'a push, and undo', watch: '[data-hash]', at: '.stage', keys: ['Shift+PageUp', 'u'] },
  { name: 'redo, and undo', watch: '[data-hash]', at: '.stage', keys: ['y', 'u'] },
];

promise(
  'while a thousand boxes run, what drives, changes and shows them answers within 50 ms, painted: the median of its tries',
  { hash: 'view=3d&preset=thousand', motion: 'no-preference', before: installStopwatch },
  async ({ page, view3d }, t) => {
    const ready = async (/** @type {boolean} */ isFirst) => view3d.pastStep(isFirst ? (await view3d.step()) + 1 : 0);
    await view3d.stage.press('[');
    await page.locator('tr.marked').waitFor();
    for (const control of CONTROLS) await answersAtOnce(page, control, ready, t);
  },
);

promise(
  'a thousand boxes that stand are what they were a step ago, or are changed, within 50 ms, painted: the median of its tries',
  { hash: 'view=3d&preset=thousand', before: installStopwatch },
  async ({ page, view3d }, t) => {
    await view3d.go(60);
    await view3d.stage.press('[');
    await page.locator('tr.marked').waitFor();
    // Figures change at most five times a second, to be read: who acts once waits for none of it.
    const ready = () => page.waitForTimeout(FIGURES_MS);
    for (const control of OF_THE_WORLD) await answersAtOnce(page, control, ready, t);
  },
);
