import assert from 'node:assert/strict';
import { test } from 'node:test';

import { f32Text, f32List, rounded, unitFor } from './float-text.ts';

test('the text of an f32 is the shortest that parses to the same bits', () => {
  assert.equal(f32Text(Math.fround(0.1)), '0.1');
  assert.equal(f32Text(85.77), '85.77');
  assert.equal(f32Text(-0), '0');
  assert.equal(f32Text(16777216), '16777216');
  for (const value of [1 / 3, Math.PI * 1e5, 1e-7 / 3, -123.456789, 3e10 / 7]) {
    assert.equal(Math.fround(Number(f32Text(value))), Math.fround(value));
    assert.ok(f32Text(value).replace(/[-.]|e.*/g, '').length <= 11, f32Text(value));
  }
  assert.equal(f32List([1, 2.5, -3]), '1,2.5,-3');
});

test('a clicked position is rounded to the precision of pointing', () => {
  assert.equal(unitFor(100), 0.1);
  assert.deepEqual(rounded([12.34567, -0.001, 99.999], unitFor(100)), [12.3, 0, 100]);
  assert.deepEqual(rounded([12345.678, 5, 0], unitFor(1e6)), [12000, 0, 0]);
  assert.deepEqual(rounded([0.00123456], unitFor(0.01)), [0.00123]);
});
