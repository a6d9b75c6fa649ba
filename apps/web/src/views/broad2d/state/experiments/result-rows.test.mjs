import assert from 'node:assert/strict';
import { test } from 'node:test';

import { isTimed, missedText, speedupOverStudy, timeText } from './result-rows.ts';

const row = (technique, msPerFrame, frames = 5) => ({
  parameters: { technique, objects: 10, bounds: 'aabb' },
  frames,
  msPerFrame,
  clockMs: 0.005,
});

test('times below the clock’s resolution are not compared', () => {
  const [brute, sweep] = [row('study-brute', 0.001), row('sweep', 0.004)];
  assert.ok(!isTimed(brute) && !isTimed(sweep));
  assert.equal(speedupOverStudy([brute, sweep], sweep), null);
  assert.equal(timeText(sweep, 'en'), '≈ 0.004');
});

test('the same times over more frames are compared', () => {
  const [brute, sweep] = [row('study-brute', 0.008, 500), row('sweep', 0.004, 500)];
  assert.equal(speedupOverStudy([brute, sweep], sweep), 2);
  assert.equal(timeText(sweep, 'pt-BR'), '0,004');
});

test('missed pairs that were not counted are not 0', () => {
  assert.equal(missedText({ missedPairs: null }, 'en'), '–');
  assert.equal(missedText({ missedPairs: 0 }, 'en'), '0');
  assert.equal(missedText({ missedPairs: 1234 }, 'pt-BR'), '1.234');
});
