import assert from 'node:assert/strict';
import { test } from 'node:test';

import { groundTriangles } from './ground.ts';

const EXTENT = { min: [-1, 0, -1], max: [3, 2, 1] };

function cornersOf(numbers) {
  return Array.from({ length: numbers.length / 3 }, (_, corner) => [...numbers.slice(corner * 3, corner * 3 + 3)]);
}

test('a half-space is drawn on its plane, wider than the bodies on it', () => {
  const corners = cornersOf(groundTriangles({ grounds: new Float32Array([7, -1, 9, 0, 1, 0]) }, EXTENT, null));
  assert.equal(corners.length, 6);
  assert.ok(corners.every(([, y]) => y === -1), 'on its plane');
  assert.deepEqual([0, 2].map((axis) => [Math.min(...corners.map((corner) => corner[axis])), Math.max(...corners.map((corner) => corner[axis]))]), [[-5, 7], [-6, 6]]);
});

test('a slope contains its point', () => {
  const half = Math.SQRT1_2;
  const corners = cornersOf(groundTriangles({ grounds: new Float32Array([0, 1, 0, half, half, 0]) }, EXTENT, null));
  for (const [x, y] of corners) assert.ok(Math.abs(x + y - 1) < 1e-4, `${x} ${y}`);
});

test('the bottom of the bounds has their width, and a floor that is a body is not drawn twice', () => {
  const area = { min: [-2, 0, -3], max: [2, 4, 3] };
  const none = { grounds: new Float32Array() };
  const room = cornersOf(groundTriangles(none, EXTENT, { height: 0, area, isBody: false }));
  assert.deepEqual(room[0], [-2, 0, -3]);
  assert.deepEqual(room[2], [2, 0, 3]);
  assert.equal(groundTriangles(none, EXTENT, { height: 0, area, isBody: true }).length, 0);
  assert.equal(groundTriangles(none, EXTENT, null).length, 0);
});
