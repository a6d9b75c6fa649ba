import assert from 'node:assert/strict';
import { test } from 'node:test';

import { halfRegions, halfSize, inHalf } from './halves.ts';

const WIDE = { width: 800, height: 600, pixelWidth: 800, pixelHeight: 600 };
const NARROW = { width: 360, height: 300, pixelWidth: 720, pixelHeight: 600 };

test('a wide stage is split into left and right, a narrow one into top and bottom', () => {
  assert.deepEqual([halfSize(WIDE).width, halfSize(WIDE).height], [400, 600]);
  assert.deepEqual([halfSize(NARROW).width, halfSize(NARROW).height], [360, 150]);
  assert.deepEqual(halfRegions(WIDE)[1], [0.5, 0, 0.5, 1]);
  // The first world is at the top; the buffer begins at the bottom.
  assert.deepEqual(halfRegions(NARROW)[0], [0, 0.5, 1, 0.5]);
});

test('a position belongs to the half that shows it, from whose corner it is counted', () => {
  assert.deepEqual(inHalf(WIDE, { x: 399, y: 10 }), { x: 399, y: 10, isSecond: false });
  assert.deepEqual(inHalf(WIDE, { x: 450, y: 10 }), { x: 50, y: 10, isSecond: true });
  assert.deepEqual(inHalf(NARROW, { x: 300, y: 160 }), { x: 300, y: 10, isSecond: true });
});
