/**
 * Speed of the 2D view.
 *
 * No test here measures frames per second. Absolute times say little on a shared machine: of a
 * ratio the best of several tries counts, and response times are scaled by the machine's slowdown.
 */

import assert from 'node:assert/strict';

import { assertResponseTime, installResponseTimer } from '../harness/response-time.mjs';
import { pageTest } from '../harness/page-test.mjs';

const TRIES = 6;

pageTest(
  'with 5,000 objects auto takes at most a fiftieth of the study’s brute force',
  { hash: 'w=2000&h=2000&n=5000&s=5-50&v=5-50&frames=20&tech=auto,study-brute' },
  async ({ view }, t) => {
    let best = 0;
    for (let attempt = 0; attempt < TRIES && (best < 50 || attempt < 2); attempt += 1) {
      await view.run();
      const auto = (await view.results()).find((row) => row['Technique']?.startsWith('Auto'));
      best = Math.max(best, Number.parseFloat((auto?.['× brute (study)'] ?? '0').replace(',', '')));
    }
    t.diagnostic(`auto is ${best} times as fast as the study’s brute force`);
    assert.ok(best >= 50, `${best} times`);
  },
);

/**
 * The last is answered by the worker, in the middle of its own work.
 *
 * @type {import('../harness/response-time.mjs').Control[]}
 */
const CONTROLS = [
  { name: 'theme', watch: 'html[data-theme]', at: '.settings select:nth-of-type(2)', keys: ['ArrowDown', 'ArrowUp'] },
  { name: 'language', watch: '.nav a', at: '.settings select:first-of-type', keys: ['ArrowDown', 'ArrowUp'] },
  { name: 'frames field', watch: '.button.run', at: '#frames', keys: ['-', 'Backspace'] },
  { name: 'play and pause', watch: '.toolbar .play', at: '.toolbar .play', keys: ['Enter', 'Enter'] },
  { name: 'select an object', watch: '#selection-title', at: '.stage', keys: [']', ']'] },
];

pageTest(
  'with 50,000 objects every control responds within 50 ms including paint: the median of its tries',
  { hash: 'w=8764&h=4930&n=50000', motion: 'no-preference', before: installResponseTimer },
  async ({ page, view }, t) => {
    const ready = async (/** @type {boolean} */ isFirst) => view.untilFrame(isFirst ? (await view.frame()) + 1 : 0);
    for (const control of CONTROLS) await assertResponseTime(page, control, ready, t);
  },
);
