import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fromDegrees, toDegrees } from './euler-angles.ts';

test('Euler angles survive a round trip through a quaternion', () => {
  for (const degrees of [[0, 0, 0], [30, 0, 0], [0, -45, 0], [10, 20, 30], [-120, 60, 5], [170, -80, -170]]) {
    const back = toDegrees(fromDegrees(degrees));
    back.forEach((turn, axis) => assert.ok(Math.abs(turn - (degrees[axis] ?? 0)) < 1e-4, `${degrees}: ${back}`));
  }
});

test('in gimbal lock an edit starts from the displayed angles', () => {
  assert.deepEqual(toDegrees(fromDegrees([0, 90, 0])).map(Math.round), [0, 90, 0]);
  for (const degrees of [[30, 90, 0], [30, 90, 50], [-170, -90, 120], [0, -90, 0], [0, -90, -60], [10, 89.99, 20]]) {
    const turn = fromDegrees(degrees);
    const shown = toDegrees(turn);
    assert.ok(isSameTurn(fromDegrees(shown), turn), `${degrees} is shown as ${shown}, which is another turn`);
  }
});

/** A quaternion and its negative are the same rotation. */
function isSameTurn(one, other) {
  const alike = Math.abs(one.reduce((sum, part, place) => sum + part * other[place], 0));
  return alike > 1 - 1e-6;
}
