import assert from 'node:assert/strict';
import { test } from 'node:test';

import { bytes, difference, duration, fixed, mean, percent, plain, significant } from './numbers.ts';

test('numbers are written by the rules of the language', () => {
  assert.equal(plain(179_700, 'en'), '179,700');
  assert.equal(plain(179_700, 'pt-BR'), '179.700');
  assert.equal(fixed(0.0344, 3, 'pt-BR'), '0,034');
});

test('a negative number has a true minus sign', () => {
  assert.equal(fixed(-9.81, 2, 'en'), '−9.81');
  assert.equal(difference(90, 100, 'en'), '−10.0%');
});

test('what is no number is a dash, and a difference from nothing too', () => {
  assert.equal(plain(Number.NaN, 'en'), '–');
  assert.equal(mean(Number.POSITIVE_INFINITY, 'en'), '–');
  assert.equal(difference(1, 0, 'en'), '–');
});

test('a difference has its sign and loses its digits where it is large', () => {
  assert.equal(difference(103.7, 100, 'en'), '+3.7%');
  assert.equal(difference(400, 100, 'en'), '+300%');
});

test('a percentage is not rounded up to what is not reached', () => {
  assert.equal(percent(0.999, 'en'), '99%');
  assert.equal(percent(1, 'pt-BR'), '100%');
});

test('bytes are shown in the unit that keeps them short', () => {
  assert.equal(bytes(999, 'en'), '999 B');
  assert.equal(bytes(139_000, 'en'), '139 kB');
  assert.equal(bytes(3_000_000, 'pt-BR'), '3,0 MB');
});

test('significant digits never become an exponent', () => {
  assert.equal(significant(12_497_500, 3, 'en'), '12,500,000');
  assert.equal(significant(0.00012345, 3, 'en'), '0.000123');
});

test('a time to wait is told as exactly as it is known', () => {
  assert.equal(duration(11_200, 'en'), '15 s');
  assert.equal(duration(61_000, 'en'), '1 min');
  assert.equal(duration(2_640_000, 'pt-BR'), '44 min');
  assert.equal(duration(6_480_000, 'pt-BR'), '1,8 h');
});
