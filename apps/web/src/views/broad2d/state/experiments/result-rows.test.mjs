import assert from 'node:assert/strict';
import { test } from 'node:test';

import { isTimed, missedText, speedupOverStudy, spreadText, timeText } from './result-rows.ts';

const row = (technique, msPerFrame, frames = 5) => ({
  parameters: { technique, objects: 10, bounds: 'aabb' },
  frames,
  msPerFrame,
  spread: null,
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

test('a resolved time has its spread, rounded up', () => {
  const sweep = { ...row('sweep', 0.031, 500), spread: 0.052 };
  assert.equal(timeText(sweep, 'en'), '0.031 ±6%');
  assert.equal(timeText({ ...sweep, spread: 0 }, 'pt-BR'), '0,031 ±1%');
  assert.equal(timeText({ ...sweep, frames: 5 }, 'en'), '≈ 0.031', 'the clock is coarser');
  assert.deepEqual([0.01, 0.07, 0.29, 1, 9.341].map((spread) => spreadText(spread, 'en')), ['±1%', '±7%', '±29%', '±100%', '±935%']);
});

test('missed pairs that were not counted are not 0', () => {
  assert.equal(missedText({ missedPairs: null }, 'en'), '–');
  assert.equal(missedText({ missedPairs: 0 }, 'en'), '0');
  assert.equal(missedText({ missedPairs: 1234 }, 'pt-BR'), '1.234');
});
