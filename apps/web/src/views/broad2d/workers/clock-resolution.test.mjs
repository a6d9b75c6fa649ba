import assert from 'node:assert/strict';
import { test } from 'node:test';

import { clockResolution } from './clock-resolution.ts';

/** A clock that is read every 0.001 ms and rounded to `step`. */
function clock(step) {
  let time = 0;
  return () => {
    time += 0.001;
    return Math.floor(time / step) * step;
  };
}

test('the resolution of a clock is its rounding', () => {
  for (const step of [0.005, 0.1, 1]) {
    const resolution = clockResolution(clock(step));
    assert.ok(Math.abs(resolution - step) < step / 100, `${step}: ${resolution}`);
  }
});

test('a clock that does not advance is given up', () => {
  assert.equal(clockResolution(() => 7), 40);
});

test('an interruption does not increase the measured resolution', () => {
  const even = clock(0.005);
  let reads = 0;
  assert.ok(clockResolution(() => even() + ((reads += 1) > 3 ? 5 : 0)) < 0.006);
});
