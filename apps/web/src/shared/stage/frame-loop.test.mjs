import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { FrameRate, FrameLoop } from './frame-loop.ts';
import { FrameTotals } from '../../views/broad2d/workers/frame-totals.ts';

/** A fake display: frames are presented when the test calls `show`. */
let callbacks = [];
let time = 0;
const realNow = performance.now.bind(performance);
globalThis.requestAnimationFrame = (call) => callbacks.push(call);
globalThis.performance.now = () => time;
process.on('exit', () => (globalThis.performance.now = realNow));

beforeEach(() => {
  callbacks = [];
  time = 1000;
});

function show(seconds, hertz) {
  for (let picture = 0; picture < Math.round(seconds * hertz); picture += 1) {
    time += 1000 / hertz;
    for (const call of callbacks.splice(0)) call(time);
  }
}

function counted() {
  const counts = { frames: 0, drawn: 0, reports: [] };
  const loop = new FrameLoop({
    frame: () => (counts.frames += 1),
    draw: () => (counts.drawn += 1),
    report: (fps) => counts.reports.push({ frame: counts.frames, fps }),
  });
  return { loop, counts };
}

test('60 frames per second on displays of 60, 75, 120 and 144 Hz', () => {
  for (const hertz of [60, 75, 120, 144]) {
    const { loop, counts } = counted();
    loop.play();
    show(10, hertz);
    loop.pause();
    show(0.1, hertz);
    assert.ok(Math.abs(counts.frames - 600) <= 2, `${counts.frames} at ${hertz}`);
    // One more for the last picture, which stays.
    assert.equal(counts.drawn, counts.frames + 1);
  }
});

test('a display of 30 Hz shows one frame per picture', () => {
  const { loop, counts } = counted();
  loop.play();
  show(10, 30);
  assert.equal(counts.frames, 300);
});

test('at most fifteen reports per second, and the last one is of the final frame', () => {
  const { loop, counts } = counted();
  loop.play();
  show(10.05, 60);
  loop.pause();
  assert.ok(counts.reports.length <= 152, String(counts.reports.length));
  assert.ok(counts.reports.length >= 148, String(counts.reports.length));
  assert.equal(counts.reports.at(-1).frame, counts.frames);
  assert.ok(Math.abs(counts.reports.at(-2).fps - 60) < 0.5);
});

test('a step is one frame, one picture and one report, then the loop is idle', () => {
  const { loop, counts } = counted();
  loop.step();
  show(1, 60);
  assert.deepEqual(counts, { frames: 1, drawn: 1, reports: [{ frame: 1, fps: 0 }] });
  assert.equal(callbacks.length, 0);
});

test('many steps are all made, with one report at the end', () => {
  const { loop, counts } = counted();
  for (let step = 0; step < 500; step += 1) loop.step();
  show(1, 60);
  assert.equal(counts.frames, 500);
  assert.deepEqual(counts.reports.at(-1), { frame: 500, fps: 0 });
});

test('a paused loop draws only what has changed', () => {
  const { loop, counts } = counted();
  loop.redraw();
  loop.redraw();
  show(1, 60);
  assert.deepEqual(counts, { frames: 0, drawn: 1, reports: [] });
});

test('the frame rate is that of the last second, or of the last frames if they are slow', () => {
  const rate = new FrameRate();
  assert.equal(rate.perSecond, 0);
  for (let frame = 0; frame < 300; frame += 1) rate.add(frame * 20);
  assert.equal(rate.perSecond, 50);
  rate.add(10_000);
  rate.add(14_000);
  assert.equal(rate.perSecond, 0.25);
});

test('sums are over the last five hundred frames', () => {
  const totals = new FrameTotals();
  for (let frame = 1; frame <= 500; frame += 1) totals.add({ tests: frame, pairs: 1, missed: 0, ms: 0.1 });
  assert.equal(totals.sums.tests, 125_250);
  for (let frame = 501; frame <= 1200; frame += 1) totals.add({ tests: frame, pairs: 2, missed: 1, ms: 0.1 });
  assert.deepEqual(
    { ...totals.sums, ms: Math.round(totals.sums.ms) },
    { frames: 500, tests: 475_250, pairs: 1000, missed: 500, ms: 50 },
  );
});

test('after yielding, nothing new is drawn until a response could be painted, then the loop resumes; a paused scene is drawn at once', () => {
  const { loop, counts } = counted();
  loop.play();
  show(0.5, 60);
  const before = counts.frames;
  loop.yieldToPage();
  loop.redraw();
  show(2 / 60, 60);
  assert.equal(counts.frames, before);
  show(0.5, 60);
  assert.ok(counts.frames > before + 20, `${counts.frames} after ${before}`);
  loop.pause();
  show(1 / 60, 60);
  const drawn = counts.drawn;
  loop.yieldToPage();
  loop.redraw();
  show(1 / 60, 60);
  assert.equal(counts.drawn, drawn + 1);
});

test('a held key that sends a request every 33 ms slows playback but never stops it', () => {
  for (const hertz of [60, 10]) {
    const { loop, counts } = counted();
    loop.play();
    show(0.5, hertz);
    const before = counts.frames;
    let mostStill = 0;
    let still = 0;
    let nextKey = time;
    for (let picture = 0; picture < 2 * hertz; picture += 1) {
      const frames = counts.frames;
      for (; nextKey <= time; nextKey += 33) {
        loop.yieldToPage();
        loop.redraw();
      }
      show(1 / hertz, hertz);
      still = counts.frames === frames ? still + 1000 / hertz : 0;
      mostStill = Math.max(mostStill, still);
    }
    assert.ok(counts.frames - before >= 2 * Math.min(hertz, 24), `${counts.frames - before} at ${hertz}`);
    assert.ok(mostStill < 60, `${mostStill} ms at ${hertz}`);
  }
});

test('where pictures are slow the next frame is simulated first, and requests are processed before its picture', () => {
  const later = [];
  const realTimeout = globalThis.setTimeout;
  globalThis.setTimeout = (call) => later.push(call);
  const settle = () => {
    while (later.length > 0) later.shift()();
  };
  try {
    for (const [took, ahead] of [[40, 1], [5, 0]]) {
      const counts = { frames: 0, drawn: 0 };
      const loop = new FrameLoop({ frame: () => (counts.frames += 1), draw: () => ((counts.drawn += 1), (time += took)), report: () => undefined });
      callbacks = [];
      loop.play();
      show(1 / 60, 60);
      settle();
      assert.deepEqual(counts, { frames: 1 + ahead, drawn: 1 });
      loop.yieldToPage();
      show(1 / 60, 60);
      settle();
      assert.deepEqual(counts, { frames: 1 + ahead, drawn: 1 });
      time += 45;
      show(1 / 60, 60);
      assert.deepEqual(counts, { frames: 2, drawn: 2 });
    }
  } finally {
    globalThis.setTimeout = realTimeout;
  }
});
