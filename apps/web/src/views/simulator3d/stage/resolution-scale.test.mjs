import assert from 'node:assert/strict';
import { test } from 'node:test';

import { FrameRate } from '../../../shared/stage/frame-loop.ts';
import { ResolutionScale } from './resolution-scale.ts';

const REPORT_MS = 1000 / 15;

/** One report per second, so that each covers a single resolution. */
function paced(...pictures) {
  const resolution = new ResolutionScale();
  return pictures.map((fps, second) => {
    if (fps === 'rests') resolution.rest();
    else resolution.pace(fps, 1000 * second);
    return Number(resolution.share.toFixed(2));
  });
}

/**
 * Simulates playback with 15 reports per second, each averaged over the last second. Returns all
 * scales with their start times.
 */
function played(seconds, msOfPicture) {
  const resolution = new ResolutionScale();
  const rate = new FrameRate();
  const sizes = [{ share: 1, from: 0 }];
  let reportedAt = 0;
  for (let now = 0; now < 1000 * seconds; ) {
    now += Math.max(1000 / 60, msOfPicture(resolution.share, now));
    rate.add(now);
    if (now < reportedAt + REPORT_MS) continue;
    reportedAt = now;
    resolution.pace(rate.perSecond, now);
    if (resolution.share !== sizes.at(-1).share) sizes.push({ share: resolution.share, from: now });
  }
  return sizes;
}

test('slow playback reduces the resolution to a limit, and rest restores it', () => {
  assert.deepEqual(paced(0, 22, 22, 22, 'rests'), [1, 0.74, 0.6, 0.6, 1]);
  assert.deepEqual(paced(18, 24, 40, 'rests'), [0.67, 0.67, 0.67, 1]);
  assert.deepEqual(paced(3, 12, 'rests', 3), [0.6, 0.6, 1, 0.6]);
});

test('the resolution is increased only if the picture will stay fast', () => {
  assert.deepEqual(paced(22, 30, 49, 51, 60), [0.74, 0.74, 0.74, 0.93, 1]);
});

test('a delayed mean causes only one change: pictures of 60 ms settle at one resolution', () => {
  const sizes = played(30, (share) => 60 * share ** 2);
  assert.equal(sizes.length, 2, JSON.stringify(sizes));
  assert.ok(sizes[1].share > 0.6 && sizes[1].share < 0.7, JSON.stringify(sizes));
});

test('no two changes are made within the second of the mean', () => {
  const sizes = played(30, (share, now) => (now < 3000 ? 50 + 100 * share ** 2 : 10));
  for (const [place, { from }] of sizes.entries()) {
    assert.ok(place < 2 || from >= sizes[place - 1].from + 1000, JSON.stringify(sizes));
  }
  assert.equal(sizes.at(-1).share, 1);
});

test('if a higher resolution is slow repeatedly, it is retried ever less often', () => {
  // Slow only at full resolution, whatever the pixels cost.
  const sizes = played(120, (share) => (share === 1 ? 60 : 16));
  const tries = sizes.filter(({ share }) => share === 1).map(({ from }) => from);
  assert.ok(tries.length >= 3 && tries.length <= 8, `${tries.length} in two minutes`);
  const [before = 0, last = 0] = tries.slice(-2);
  assert.ok(last - before > 20_000, JSON.stringify(tries));
});
