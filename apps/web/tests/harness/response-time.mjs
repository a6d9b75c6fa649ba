/**
 * Response time of controls, and its limit.
 *
 * The median of several tries, for a machine with idle cores. If other processes compete for the
 * cores, everything including this test is slower: the limit is scaled by the slowdown of the test
 * itself. A disturbed round is repeated.
 */

import assert from 'node:assert/strict';

const TRIES = 6;
const ROUNDS = 8;
/** Limit in ms. */
const AT_ONCE = 50;
/** In µs of processor time: longer than a scheduler's time slice. */
const FEEL_US = 20_000;
/** The page has two busy threads, and the test is a third on two cores. */
const BESIDE_THE_PAGE = 1.5;

/**
 * A control to be timed; `types` replaces the field's text before the key is pressed.
 *
 * @typedef {{ name: string, watch: string, at: string, keys: string[], types?: string[] }} Control
 */

/**
 * Presses real keys: an event dispatched inside the page would only start when the page is free.
 *
 * @param {import('playwright-core').Page} page
 * @param {Control} control
 * @param {(isFirst: boolean) => Promise<void>} ready between two keys; the scene may be paused
 *   before the second
 * @param {import('node:test').TestContext} t
 */
export async function assertResponseTime(page, { name, watch, at, keys, types }, ready, t) {
  await page.locator(at).focus();
  let isKept = false;
  for (let round = 0; round < ROUNDS && !isKept; round += 1) {
    const times = [];
    const crowd = new Slowdown();
    // An even number: the second key of a pair reverts the first.
    for (let press = 0; press < TRIES; press += 1) {
      await ready(press % 2 === 0);
      if (types !== undefined) await page.locator(at).fill(types[press % types.length] ?? '');
      await page.evaluate((selector) => awaitResponse(selector), watch);
      await page.keyboard.press(keys[press % keys.length] ?? '');
      times.push(await page.evaluate(() => responseTime));
      crowd.sample();
    }
    isKept = median(times) <= AT_ONCE * crowd.slowdown;
    const formatted = [median(times), ...times].map(Math.round).join(', ');
    t.diagnostic(`${name}: ms from the key to the painted picture, the median first: ${formatted}; slowed down ${crowd.slowdown.toFixed(1)} times`);
  }
  assert.ok(isKept, `${name} answers late`);
}

/** Slowdown of work by competing processes. */
class Slowdown {
  #wall = 0;
  #own = 0;

  /** Works for a moment and measures its wall time. */
  sample() {
    const began = process.hrtime.bigint();
    const before = process.cpuUsage();
    let own = 0;
    while (own < FEEL_US) {
      const { user, system } = process.cpuUsage(before);
      own = user + system;
    }
    this.#own += own;
    this.#wall += Number(process.hrtime.bigint() - began) / 1000;
  }

  /** 1 if only the page and this test share two cores. */
  get slowdown() {
    const times = this.#wall / this.#own;
    return times < BESIDE_THE_PAGE ? 1 : times;
  }
}

/** @param {number[]} times */
function median(times) {
  const sorted = times.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  return ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** Measures from an event's time stamp to the picture that shows its effect. Runs in the page. */
export function installResponseTimer() {
  let began = 0;
  addEventListener('keydown', (event) => (began = event.timeStamp), { capture: true });
  globalThis.awaitResponse = (selector) => {
    globalThis.responseTime = new Promise((resolve) => {
      const watch = new MutationObserver(() => {
        watch.disconnect();
        // The callback runs before the frame is painted; a message to oneself arrives after it.
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => resolve(performance.now() - began);
          port2.postMessage(null);
        });
      });
      const element = document.querySelector(selector);
      watch.observe(element, { attributes: true, childList: true, characterData: true, subtree: selector !== 'html[data-theme]' });
    });
  };
}
