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
    await page.waitForFunction(() => heard.brushes > 0, undefined, { polling: 50 });
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

promise(
  'the texture of a busy scene ends when it is paused',
  { motion: 'no-preference', hash: 'n=2000&t=auto', before: listen },
  async ({ page }) => {
    await page.getByRole('button', { name: 'Sound', exact: true }).click();
    await page.waitForFunction(() => heard.texture?.gain.value > 0.01);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.waitForFunction(() => heard.texture.gain.value < 0.0005);
    assert.equal(await page.evaluate(() => heard.contexts[0].state), 'running', 'sound is still on');
  },
);

/** Notes what is sounded. Runs in the page. */
function listen() {
  const heard = { contexts: [], sounding: 0, most: 0, onsets: [], pitches: [], shapes: [], brushes: 0, texture: null };
  globalThis.heard = heard;
  globalThis.AudioContext = class extends AudioContext {
    constructor(...given) {
      super(...given);
      heard.contexts.push(this);
    }
  };
  const { start } = AudioScheduledSourceNode.prototype;
  // When it is to be heard: on a busy machine the clock goes on between a note and the next of the same moment.
  const note = (source, when) => {
    heard.sounding += 1;
    heard.most = Math.max(heard.most, heard.sounding);
    heard.onsets.push(when);
    source.addEventListener('ended', () => (heard.sounding -= 1));
  };
  OscillatorNode.prototype.start = function (...given) {
    note(this, given[0]);
    heard.pitches.push(this.frequency.value);
    if (!heard.shapes.includes(this.type)) {
      heard.shapes.push(this.type);
    }
    start.apply(this, given);
  };
  const { start: startBuffer } = AudioBufferSourceNode.prototype;
  AudioBufferSourceNode.prototype.start = function (...given) {
    // What is looped is the texture, and no voice; the others are walls.
    if (!this.loop) {
      note(this, given[0]);
      heard.brushes += 1;
    }
    startBuffer.apply(this, given);
  };
  const { connect } = AudioNode.prototype;
  AudioNode.prototype.connect = function (...given) {
    // Voices reach the end through their place between left and right.
    if (this instanceof GainNode && given[0] instanceof DynamicsCompressorNode) {
      heard.texture = this;
    }
    return connect.apply(this, given);
  };
}
