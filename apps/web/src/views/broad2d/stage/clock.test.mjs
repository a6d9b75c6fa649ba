import assert from 'node:assert/strict';
import { test } from 'node:test';

import { stepOfClock } from './clock.ts';

/** A clock that is read every 0.001 ms and rounds to its step. */
function clock(step) {
  let time = 0;
  return () => {
    time += 0.001;
    return Math.floor(time / step) * step;
  };
}

test('the step of a clock is what it rounds to', () => {
  for (const step of [0.005, 0.1, 1]) {
    const told = stepOfClock(clock(step));
    assert.ok(Math.abs(told - step) < step / 100, `${step}: ${told}`);
  }
});

test('a clock that stands still is given up', () => {
  assert.equal(stepOfClock(() => 7), 40);
});

test('a moment of something else does not make the step longer', () => {
  const even = clock(0.005);
  let reads = 0;
  assert.ok(stepOfClock(() => even() + ((reads += 1) > 3 ? 5 : 0)) < 0.006);
});
