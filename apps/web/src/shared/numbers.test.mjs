import assert from 'node:assert/strict';
import { test } from 'node:test';

import { bytes, difference, duration, entered, fixed, mean, percent, plain, readEntered, significant, twoReadings } from './numbers.ts';

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

test('what rounds to nothing has no sign', () => {
  assert.equal(fixed(-0.001, 2, 'en'), '0.00');
  assert.equal(fixed(-0.006, 2, 'en'), '−0.01');
});

test('what is written into a field is read from it again, as people of either language type', () => {
  for (const language of ['en', 'pt-BR']) {
    for (const value of [0, -9.81, 1234567.125, 0.000001, -0.5]) {
      assert.equal(readEntered(entered(value, 6, language), language), value);
    }
  }
  assert.equal(entered(-9.81, 3, 'pt-BR'), '−9,81');
  assert.equal(readEntered('-1,5', 'pt-BR'), -1.5);
  assert.equal(readEntered('1.5', 'pt-BR'), 1.5);
  assert.equal(readEntered(' 2e−3 ', 'en'), 0.002);
  for (const none of ['', '−', '1,5', '1.2.3', 'x', '1e', '0x10', 'Infinity']) {
    assert.ok(Number.isNaN(readEntered(none, 'en')), none);
  }
});

test('thousands are read as the language sets them apart, and a decimal is never taken for them', () => {
  assert.deepEqual(['1.000,0', '1.234.567', '-12.345.678,5', '1,5', '1.5', '0.125', '10.25'].map((text) => readEntered(text, 'pt-BR')), [1000, 1_234_567, -12_345_678.5, 1.5, 1.5, 0.125, 10.25]);
  assert.deepEqual(['1,000', '−1,234.5', '1.000', '0.125'].map((text) => readEntered(text, 'en')), [1000, -1234.5, 1, 0.125]);
  assert.ok(['1,00', '1.000.00', '0,125'].every((text) => Number.isNaN(readEntered(text, 'en'))));
});

test('a point before three digits is not guessed in Portuguese: it may be a thousandfold', () => {
  for (const [text, both] of [['9.807', [9807, 9.807]], ['−9.807', [-9807, -9.807]], ['1.500', [1500, 1.5]], [' 12.345 ', [12_345, 12.345]]]) {
    assert.ok(Number.isNaN(readEntered(text, 'pt-BR')), text);
    assert.deepEqual(twoReadings(text, 'pt-BR'), both);
  }
  for (const one of ['9,807', '9807', '9.81', '0.807', '9.8070', '1234.567', '1.500,0', '1.500.000', '1.500e0']) {
    assert.equal(twoReadings(one, 'pt-BR'), null, one);
    assert.ok(Number.isFinite(readEntered(one, 'pt-BR')), one);
  }
  assert.deepEqual(['9.807', '1.500', '9,807', '1,500'].map((text) => readEntered(text, 'en')), [9.807, 1.5, 9807, 1500]);
});
