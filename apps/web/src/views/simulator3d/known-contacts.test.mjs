import assert from 'node:assert/strict';
import { test } from 'node:test';

import { KnownContacts } from './known-contacts.ts';

/** The steps of a curve. */
function stepsOf(known, last) {
  const points = known.path(last).split('L').slice(1, -1);
  return points.map((point) => Math.round(Number(point.split(' ')[0]) * last));
}

function told(...steps) {
  const known = new KnownContacts();
  for (const step of steps) known.add(step, step, Math.max(...steps));
  return known;
}

test('what was gone back over stays, and what is done anew goes', () => {
  const known = told(0, 40, 80);
  known.add(20, 3, 80);
  assert.deepEqual(stepsOf(known, 80), [0, 20, 40, 80]);
  known.add(30, 3, 30);
  assert.deepEqual(stepsOf(known, 30), [0, 20, 30]);
});

test('what followed a change that was taken back is not drawn, though there was a future before it', () => {
  const known = told(0, 30, 45, 60);
  known.forgetAfter(30);
  known.add(30, 5, 60);
  assert.deepEqual(stepsOf(known, 60), [0, 30]);
});

test('another world has another curve', () => {
  const known = told(0, 40, 80);
  known.clear();
  assert.equal(known.path(80), '');
  known.add(200, 1, 200);
  assert.deepEqual(stepsOf(known, 200), [200]);
});

test('after a night of steps it is no longer than after a minute, and reaches from the first to the last', () => {
  const known = new KnownContacts();
  for (let step = 0; step <= 200_000; step += 12) {
    known.add(step, step % 7, step);
    if (step % 6000 === 0) assert.ok(known.path(step).length < 12_000);
  }
  const steps = stepsOf(known, 200_000);
  assert.ok(steps.length > 250 && steps.length <= 600, `${steps.length}`);
  assert.ok(steps[0] === 0 && steps.at(-1) >= 199_980, `${steps[0]} ${steps.at(-1)}`);
});
