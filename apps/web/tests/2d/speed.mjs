/**
 * Is it fast where it was promised to be?
 *
 * No test here looks at frames a second. A ratio of times in the same page says little when something else runs
 * on the machine, so the best of several tries counts.
 */

import assert from 'node:assert/strict';

import { promise } from '../harness/promise.mjs';

const TRIES = 6;

promise(
  'with 5,000 objects auto takes at most a fiftieth of the study’s brute force',
  { hash: 'w=2000&h=2000&n=5000&s=5-50&v=5-50&frames=20&tech=auto,study-brute' },
  async ({ view }, t) => {
    let best = 0;
    for (let attempt = 0; attempt < TRIES && (best < 50 || attempt < 2); attempt += 1) {
      await view.run();
      const auto = (await view.results()).find((row) => row['Technique']?.startsWith('Auto'));
      best = Math.max(best, Number.parseFloat((auto?.['× brute'] ?? '0').replace(',', '')));
    }
    t.diagnostic(`auto is ${best} times as fast as the study’s brute force`);
    assert.ok(best >= 50, `${best} times`);
  },
);

/** @typedef {{ name: string, watch: string, at: string, keys: string[] }} Control */

/**
 * Real keys and a real mouse: an event made inside the page would only begin when the page is free to make it.
 * The last is answered by the worker, in the middle of its own work.
 *
 * @type {Control[]}
 */
const CONTROLS = [
  { name: 'theme', watch: 'html[data-theme]', at: '.settings select:nth-of-type(2)', keys: ['ArrowDown', 'ArrowUp'] },
  { name: 'language', watch: '.nav a', at: '.settings select:first-of-type', keys: ['ArrowDown', 'ArrowUp'] },
  { name: 'frames field', watch: '.button.run', at: '#frames', keys: ['-', 'Backspace'] },
  { name: 'play and pause', watch: '.toolbar .play', at: '.toolbar .play', keys: ['Enter', 'Enter'] },
  { name: 'select an object', watch: '#selection-title', at: '.stage', keys: [']', ']'] },
];

promise(
  'while 50,000 objects run, every control answers within 50 ms',
  { hash: 'w=8764&h=4930&n=50000', motion: 'no-preference', before: installStopwatch },
  async ({ page, view }, t) => {
    for (const { name, watch, at, keys } of CONTROLS) {
      const times = [];
      await page.locator(at).focus();
      // An even number: what the first key of a pair changed, the second puts right.
      for (let press = 0; press < TRIES || press % 2 === 1 || (Math.min(...times) > 50 && press < 5 * TRIES); press += 1) {
        await view.untilFrame(press === 0 ? (await view.frame()) + 1 : 0);
        await page.evaluate((selector) => awaitAnswer(selector), watch);
        await page.keyboard.press(keys[press % keys.length] ?? '');
        times.push(await page.evaluate(() => answered));
      }
      // A busy machine delays some answers, a page that is held up all of them.
      const best = Math.min(...times);
      const told = `${name}: ${best.toFixed(1)} ms from the key to the picture (${times.map(Math.round).join(', ')})`;
      t.diagnostic(told);
      assert.ok(best <= 50, told);
    }
  },
);

/** From the time stamp of an event to the picture that shows what it changed. Runs in the page. */
function installStopwatch() {
  let began = 0;
  addEventListener('keydown', (event) => (began = event.timeStamp), { capture: true });
  globalThis.awaitAnswer = (selector) => {
    globalThis.answered = new Promise((resolve) => {
      const watch = new MutationObserver(() => {
        watch.disconnect();
        requestAnimationFrame(() => resolve(performance.now() - began));
      });
      const element = document.querySelector(selector);
      watch.observe(element, { attributes: true, childList: true, characterData: true, subtree: selector !== 'html[data-theme]' });
    });
  };
}
