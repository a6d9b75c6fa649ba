import assert from 'node:assert/strict';
import { test } from 'node:test';

import { exact, exactList, rounded, unitFor } from './digits.ts';

test('what is written is the same number for the engine, and as short as can be', () => {
  assert.equal(exact(Math.fround(0.1)), '0.1');
  assert.equal(exact(85.77), '85.77');
  assert.equal(exact(-0), '0');
  assert.equal(exact(16777216), '16777216');
  for (const value of [1 / 3, Math.PI * 1e5, 1e-7 / 3, -123.456789, 3e10 / 7]) {
    assert.equal(Math.fround(Number(exact(value))), Math.fround(value));
    assert.ok(exact(value).replace(/[-.]|e.*/g, '').length <= 11, exact(value));
  }
  assert.equal(exactList([1, 2.5, -3]), '1,2.5,-3');
});

test('a pointed place is rounded to what a pointer can tell', () => {
  assert.equal(unitFor(100), 0.1);
  assert.deepEqual(rounded([12.34567, -0.001, 99.999], unitFor(100)), [12.3, 0, 100]);
  assert.deepEqual(rounded([12345.678, 5, 0], unitFor(1e6)), [12000, 0, 0]);
  assert.deepEqual(rounded([0.00123456], unitFor(0.01)), [0.00123]);
});
