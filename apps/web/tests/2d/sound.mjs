/** Sound: off by default, with limited density. */

import assert from 'node:assert/strict';

import { pageTest } from '../harness/page-test.mjs';

pageTest(
  'collisions are audible only with sound on, in at most 8 voices and 20 onsets per second',
  { motion: 'no-preference', before: listen },
  async ({ page, view }) => {
    await view.untilFrame(20);
    assert.deepEqual(await page.evaluate(() => played.contexts.length), 0, 'no audio context is created');

    await page.getByRole('button', { name: 'Sound', exact: true }).click();
    await view.untilAnnounced('Sound on.');
    await page.waitForFunction(() => played.contexts[0]?.state === 'running');
    await page.waitForFunction(() => played.onsets.length >= 30);
    const { most, onsets } = await page.evaluate(() => ({ most: played.most, onsets: played.onsets }));
    assert.ok(most >= 1 && most <= 8, `${most} voices at once`);
    for (const onset of onsets) {
      const within = onsets.filter((other) => other > onset - 1 && other <= onset).length;
      assert.ok(within <= 20, `${within} onsets in the second before ${onset}`);
    }
    assert.deepEqual(await page.evaluate(() => played.shapes), ['triangle']);
    await page.waitForFunction(() => played.brushes > 0, undefined, { polling: 50 });
    const [lowest, highest] = await page.evaluate(() => [Math.min(...played.pitches), Math.max(...played.pitches)]);
    assert.ok((lowest ?? 0) >= 219 && (highest ?? Infinity) <= 1761, `${lowest} to ${highest} Hz`);

    await page.getByRole('button', { name: 'Sound', exact: true }).click();
    await page.waitForFunction(() => played.contexts[0]?.state === 'suspended');
    const before = await page.evaluate(() => played.onsets.length);
    await page.waitForTimeout(500);
    assert.equal(await page.evaluate(() => played.onsets.length), before);
    assert.equal(await page.evaluate(() => played.contexts.length), 1);
  },
);

pageTest(
  'the texture of a busy scene ends when it is paused',
  { motion: 'no-preference', hash: 'n=2000&t=auto', before: listen },
  async ({ page }) => {
    await page.getByRole('button', { name: 'Sound', exact: true }).click();
    await page.waitForFunction(() => played.texture?.gain.value > 0.01);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.waitForFunction(() => played.texture.gain.value < 0.0005);
    assert.equal(await page.evaluate(() => played.contexts[0].state), 'running', 'sound is still on');
  },
);

/** Records the started sounds. Runs in the page. */
function listen() {
  const played = { contexts: [], sounding: 0, most: 0, onsets: [], pitches: [], shapes: [], brushes: 0, texture: null };
  globalThis.played = played;
  globalThis.AudioContext = class extends AudioContext {
    constructor(...given) {
      super(...given);
      played.contexts.push(this);
    }
  };
  const { start } = AudioScheduledSourceNode.prototype;
  // Scheduled start: on a busy machine the clock advances between two notes of the same moment.
  const note = (source, when) => {
    played.sounding += 1;
    played.most = Math.max(played.most, played.sounding);
    played.onsets.push(when);
    source.addEventListener('ended', () => (played.sounding -= 1));
  };
  OscillatorNode.prototype.start = function (...given) {
    note(this, given[0]);
    played.pitches.push(this.frequency.value);
    if (!played.shapes.includes(this.type)) {
      played.shapes.push(this.type);
    }
    start.apply(this, given);
  };
  const { start: startBuffer } = AudioBufferSourceNode.prototype;
  AudioBufferSourceNode.prototype.start = function (...given) {
    // The looped source is the texture; other noise sources are walls.
    if (!this.loop) {
      note(this, given[0]);
      played.brushes += 1;
    }
    startBuffer.apply(this, given);
  };
  const { connect } = AudioNode.prototype;
  AudioNode.prototype.connect = function (...given) {
    // Voices reach the output through their stereo panner.
    if (this instanceof GainNode && given[0] instanceof DynamicsCompressorNode) {
      played.texture = this;
    }
    return connect.apply(this, given);
  };
}
