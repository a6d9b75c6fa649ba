import assert from 'node:assert/strict';
import { test } from 'node:test';

import { PARTS, timingSpread } from './timing-spread.ts';

test('equal times have no spread', () => {
  assert.equal(timingSpread(Array.from({ length: 50 }, () => 0.25)), 0);
});

test('the spread is half the range of the means of the parts, relative to the mean', () => {
  // Means 1, 1, 1, 1, 2: half the range is 0.5, the mean 1.2.
  const times = [1, 1, 1, 1, 2].flatMap((mean) => [mean - 0.5, mean + 0.5]);
  assert.ok(Math.abs(timingSpread(times) - 0.5 / 1.2) < 1e-12);
});

test('too few frames, or times of 0, have no known spread', () => {
  assert.equal(timingSpread(Array.from({ length: PARTS - 1 }, () => 1)), null);
  assert.equal(timingSpread([0, 0, 0, 0, 0]), null);
});
