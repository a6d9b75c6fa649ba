import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ContactCounts } from './contact-counts.ts';

/** The steps of a curve. */
function stepsOf(known, last) {
  const points = known.path(last).split('L').slice(1, -1);
  return points.map((point) => Math.round(Number(point.split(' ')[0]) * last));
}

function countsAt(...steps) {
  const known = new ContactCounts();
  for (const step of steps) known.add(step, step, Math.max(...steps));
  return known;
}

test('seeking back keeps the counts, and simulating again replaces them', () => {
  const known = countsAt(0, 40, 80);
  known.add(20, 3, 80);
  assert.deepEqual(stepsOf(known, 80), [0, 20, 40, 80]);
  known.add(30, 3, 30);
  assert.deepEqual(stepsOf(known, 30), [0, 20, 30]);
});

test('counts after an undone edit are dropped', () => {
  const known = countsAt(0, 30, 45, 60);
  known.forgetAfter(30);
  known.add(30, 5, 60);
  assert.deepEqual(stepsOf(known, 60), [0, 30]);
});

test('another world has another curve', () => {
  const known = countsAt(0, 40, 80);
  known.clear();
  assert.equal(known.path(80), '');
  known.add(200, 1, 200);
  assert.deepEqual(stepsOf(known, 200), [200]);
});

test('the curve is bounded in length, and covers the first to the last step', () => {
  const known = new ContactCounts();
  for (let step = 0; step <= 200_000; step += 12) {
    known.add(step, step % 7, step);
    if (step % 6000 === 0) assert.ok(known.path(step).length < 12_000);
  }
  const steps = stepsOf(known, 200_000);
  assert.ok(steps.length > 250 && steps.length <= 600, `${steps.length}`);
  assert.ok(steps[0] === 0 && steps.at(-1) >= 199_980, `${steps[0]} ${steps.at(-1)}`);
});
