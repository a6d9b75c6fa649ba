import assert from 'node:assert/strict';
import { test } from 'node:test';

import { FrameRate } from '../../../shared/stage/loop.ts';
import { Fineness } from './fineness.ts';

const REPORT_MS = 1000 / 15;

/** One word a second, so that each is about the size that the one before left. */
function paced(...pictures) {
  const fineness = new Fineness();
  return pictures.map((fps, second) => {
    if (fps === 'rests') fineness.rest();
    else fineness.pace(fps, 1000 * second);
    return Number(fineness.share.toFixed(2));
  });
}

/** Plays as a stage does, told 15 times a second of the last second. Returns every size it had, and since when. */
function played(seconds, msOfPicture) {
  const fineness = new Fineness();
  const rate = new FrameRate();
  const sizes = [{ share: 1, from: 0 }];
  let told = 0;
  for (let now = 0; now < 1000 * seconds; ) {
    now += Math.max(1000 / 60, msOfPicture(fineness.share, now));
    rate.add(now);
    if (now < told + REPORT_MS) continue;
    told = now;
    fineness.pace(rate.perSecond, now);
    if (fineness.share !== sizes.at(-1).share) sizes.push({ share: fineness.share, from: now });
  }
  return sizes;
}

test('what plays slowly gets coarser, as far as it is slow and to a limit, and is whole again at rest', () => {
  assert.deepEqual(paced(0, 22, 22, 22, 'rests'), [1, 0.74, 0.6, 0.6, 1]);
  assert.deepEqual(paced(18, 24, 40, 'rests'), [0.67, 0.67, 0.67, 1]);
  assert.deepEqual(paced(3, 12, 'rests', 3), [0.6, 0.6, 1, 0.6]);
});

test('it gets finer only where the finer picture will be fast as well', () => {
  assert.deepEqual(paced(22, 30, 49, 51, 60), [0.74, 0.74, 0.74, 0.93, 1]);
});

test('of a mean that is late only one change is made: pictures of 60 ms that cost their pixels come to rest at one size', () => {
  const sizes = played(30, (share) => 60 * share ** 2);
  assert.equal(sizes.length, 2, JSON.stringify(sizes));
  assert.ok(sizes[1].share > 0.6 && sizes[1].share < 0.7, JSON.stringify(sizes));
});

test('no two changes are made within the second that is told', () => {
  const sizes = played(30, (share, now) => (now < 3000 ? 50 + 100 * share ** 2 : 10));
  for (const [place, { from }] of sizes.entries()) {
    assert.ok(place < 2 || from >= sizes[place - 1].from + 1000, JSON.stringify(sizes));
  }
  assert.equal(sizes.at(-1).share, 1);
});

test('where a finer picture is slow again and again it is tried ever more seldom', () => {
  // Slow only when whole, whatever the pixels should cost.
  const sizes = played(120, (share) => (share === 1 ? 60 : 16));
  const tries = sizes.filter(({ share }) => share === 1).map(({ from }) => from);
  assert.ok(tries.length >= 3 && tries.length <= 8, `${tries.length} in two minutes`);
  const [before = 0, last = 0] = tries.slice(-2);
  assert.ok(last - before > 20_000, JSON.stringify(tries));
});
