/** Is it silent until asked, and never a noise? */

import assert from 'node:assert/strict';

import { promise } from '../harness/promise.mjs';

promise(
  'collisions sound only when asked, in at most 8 voices and 20 onsets a second',
  { motion: 'no-preference', before: listen },
  async ({ page, view }) => {
    await view.untilFrame(20);
    assert.deepEqual(await page.evaluate(() => heard.contexts.length), 0, 'no sound is even prepared');

    await page.getByRole('button', { name: 'Sound', exact: true }).click();
    await view.untilSaid('Sound on.');
    await page.waitForFunction(() => heard.contexts[0]?.state === 'running');
    await page.waitForFunction(() => heard.onsets.length >= 30);
    const { most, onsets } = await page.evaluate(() => ({ most: heard.most, onsets: heard.onsets }));
    assert.ok(most >= 1 && most <= 8, `${most} voices at once`);
    for (const onset of onsets) {
      const within = onsets.filter((other) => other > onset - 1 && other <= onset).length;
      assert.ok(within <= 20, `${within} onsets in the second before ${onset}`);
    }
    assert.deepEqual(await page.evaluate(() => heard.shapes), ['triangle']);
    const [lowest, highest] = await page.evaluate(() => [Math.min(...heard.pitches), Math.max(...heard.pitches)]);
    assert.ok((lowest ?? 0) >= 219 && (highest ?? Infinity) <= 1761, `${lowest} to ${highest} Hz`);

    await page.getByRole('button', { name: 'Sound', exact: true }).click();
    await page.waitForFunction(() => heard.contexts[0]?.state === 'suspended');
    const before = await page.evaluate(() => heard.onsets.length);
    await page.waitForTimeout(500);
    assert.equal(await page.evaluate(() => heard.onsets.length), before);
    assert.equal(await page.evaluate(() => heard.contexts.length), 1);
  },
);

/** Notes what is sounded. Runs in the page. */
function listen() {
  const heard = { contexts: [], sounding: 0, most: 0, onsets: [], pitches: [], shapes: [] };
  globalThis.heard = heard;
  globalThis.AudioContext = class extends AudioContext {
    constructor(...given) {
      super(...given);
      heard.contexts.push(this);
    }
  };
  const { start } = AudioScheduledSourceNode.prototype;
  OscillatorNode.prototype.start = function (...given) {
    heard.sounding += 1;
    heard.most = Math.max(heard.most, heard.sounding);
    heard.onsets.push(this.context.currentTime);
    heard.pitches.push(this.frequency.value);
    if (!heard.shapes.includes(this.type)) {
      heard.shapes.push(this.type);
    }
    this.addEventListener('ended', () => (heard.sounding -= 1));
    start.apply(this, given);
  };
}
