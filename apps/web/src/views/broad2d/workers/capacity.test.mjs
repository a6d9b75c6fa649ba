import assert from 'node:assert/strict';
import test from 'node:test';

import { mostObjects } from './capacity.ts';

/** A technique that holds `limit` objects at 60 frames per second, in worlds of at most `room`. */
function trialOf(limit, exponent, room = Infinity) {
  const tried = [];
  const trial = async (objects) => {
    tried.push(objects);
    if (objects > room) return 'rejected';
    return { parameters: { objects }, fps: 60 * ((limit + 0.5) / objects) ** exponent };
  };
  return { tried, trial };
}

test('the search finds the most objects to three percent', async () => {
  for (const limit of [1, 3, 499, 500, 5_000, 49_999]) {
    for (const exponent of [1, 1.4, 2]) {
      const { tried, trial } = trialOf(limit, exponent);
      const { parameters, capacity } = await mostObjects(500, 60, trial);
      assert.ok(parameters.objects <= limit && (parameters.objects + 1) * 1.03 >= limit, `${parameters.objects} of ${limit}`);
      assert.deepEqual(capacity, { fps: 60, atLeast: false });
      assert.ok(tried.length < 25, String(tried));
    }
  }
});

test('a world that holds no more objects ends the search with "at least"', async () => {
  const { trial } = trialOf(1e6, 1, 20_000);
  const { parameters, capacity } = await mostObjects(500, 60, trial);
  assert.ok(parameters.objects > 19_400 && parameters.objects <= 20_000, String(parameters.objects));
  assert.equal(capacity.atLeast, true);
});

test('a canceled trial, and a rate that no number holds, give no row', async () => {
  assert.equal(await mostObjects(500, 60, async () => 'canceled'), null);
  assert.equal(await mostObjects(500, 60, async (objects) => ({ parameters: { objects }, fps: 1 })), null);
});
