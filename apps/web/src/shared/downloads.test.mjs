import assert from 'node:assert/strict';
import { test } from 'node:test';

import { csv, digits } from './downloads.ts';

test('a number is written with every digit and without an exponent', () => {
  assert.equal(digits(1234.5678901234567), '1234.5678901234567');
  assert.equal(digits(1.5e-7), '0.00000015');
  assert.equal(digits(-2e21), '-2000000000000000000000');
  assert.equal(digits(1.25e22), '12500000000000000000000');
  assert.equal(Number(digits(1.2345e-9)), 1.2345e-9);
});

test('a non-finite or missing number is an empty cell', () => {
  assert.equal(csv([['a', Number.NaN, null, 3]]), 'a,,,3\n');
});

test('a cell with separators is quoted', () => {
  assert.equal(csv([['one, two', 'say "no"', 'plain']]), '"one, two","say ""no""",plain\n');
});
