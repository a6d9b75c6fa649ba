import assert from 'node:assert/strict';
import { test } from 'node:test';

import { formatBytes, formatDifference, formatDuration, formatInput, formatFixed, formatMean, formatPercent, formatNumber, parseInput, formatShare, formatSignificant, ambiguousReadings } from './number-format.ts';

test('numbers are formatted by the rules of the language', () => {
  assert.equal(formatNumber(179_700, 'en'), '179,700');
  assert.equal(formatNumber(179_700, 'pt-BR'), '179.700');
  assert.equal(formatFixed(0.0344, 3, 'pt-BR'), '0,034');
});

test('a negative number has a true minus sign', () => {
  assert.equal(formatFixed(-9.81, 2, 'en'), '−9.81');
  assert.equal(formatDifference(90, 100, 'en'), '−10.0%');
});

test('NaN is a dash, and so is a difference from zero', () => {
  assert.equal(formatNumber(Number.NaN, 'en'), '–');
  assert.equal(formatMean(Number.POSITIVE_INFINITY, 'en'), '–');
  assert.equal(formatDifference(1, 0, 'en'), '–');
});

test('a difference has a sign, and no decimals if it is large', () => {
  assert.equal(formatDifference(103.7, 100, 'en'), '+3.7%');
  assert.equal(formatDifference(400, 100, 'en'), '+300%');
});

test('a percentage is rounded down', () => {
  assert.equal(formatPercent(0.999, 'en'), '99%');
  assert.equal(formatPercent(1, 'pt-BR'), '100%');
});

test('a share in percent has no space before the sign', () => {
  assert.equal(formatShare(0.98954, 2, 'en'), '98.95%');
  assert.equal(formatShare(0.0785, 1, 'pt-BR'), '7,9%');
});

test('bytes are shown in a readable unit', () => {
  assert.equal(formatBytes(999, 'en'), '999 B');
  assert.equal(formatBytes(139_000, 'en'), '139 kB');
  assert.equal(formatBytes(3_000_000, 'pt-BR'), '3,0 MB');
});

test('significant digits have no exponent', () => {
  assert.equal(formatSignificant(12_497_500, 3, 'en'), '12,500,000');
  assert.equal(formatSignificant(0.00012345, 3, 'en'), '0.000123');
});

test('a duration is rounded to its precision', () => {
  assert.equal(formatDuration(11_200, 'en'), '15 s');
  assert.equal(formatDuration(61_000, 'en'), '1 min');
  assert.equal(formatDuration(2_640_000, 'pt-BR'), '44 min');
  assert.equal(formatDuration(6_480_000, 'pt-BR'), '1,8 h');
});

test('a number rounded to zero has no sign', () => {
  assert.equal(formatFixed(-0.001, 2, 'en'), '0.00');
  assert.equal(formatFixed(-0.006, 2, 'en'), '−0.01');
});

test('formatted input is parsed to the same number, in either language', () => {
  for (const language of ['en', 'pt-BR']) {
    for (const value of [0, -9.81, 1234567.125, 0.000001, -0.5]) {
      assert.equal(parseInput(formatInput(value, 6, language), language), value);
    }
  }
  assert.equal(formatInput(-9.81, 3, 'pt-BR'), '−9,81');
  assert.equal(parseInput('-1,5', 'pt-BR'), -1.5);
  assert.equal(parseInput('1.5', 'pt-BR'), 1.5);
  assert.equal(parseInput(' 2e−3 ', 'en'), 0.002);
  for (const none of ['', '−', '1,5,5', '1.2.3', 'x', '1e', '0x10', 'Infinity']) {
    assert.ok(Number.isNaN(parseInput(none, 'en')), none);
  }
});

test('a decimal comma is accepted in either language', () => {
  for (const language of ['en', 'pt-BR']) {
    assert.deepEqual(['0,8', '1,5', '-0,125', '1,00', ',5', '2,5e-3'].map((text) => parseInput(text, language)), [0.8, 1.5, -0.125, 1, 0.5, 0.0025]);
  }
});

test('thousands separators follow the language and are never taken for decimal separators', () => {
  assert.deepEqual(['1.000,0', '1.234.567', '-12.345.678,5', '1,5', '1.5', '0.125', '10.25'].map((text) => parseInput(text, 'pt-BR')), [1000, 1_234_567, -12_345_678.5, 1.5, 1.5, 0.125, 10.25]);
  assert.deepEqual(['1,000', '−1,234.5', '1.000', '0.125'].map((text) => parseInput(text, 'en')), [1000, -1234.5, 1, 0.125]);
  assert.ok(['1,00.5', '1.000.00', '1,2,3', '1.5,5'].every((text) => Number.isNaN(parseInput(text, 'en'))));
});

test('an ambiguous point before three digits is rejected in Portuguese', () => {
  for (const [text, both] of [['9.807', [9807, 9.807]], ['−9.807', [-9807, -9.807]], ['1.500', [1500, 1.5]], [' 12.345 ', [12_345, 12.345]]]) {
    assert.ok(Number.isNaN(parseInput(text, 'pt-BR')), text);
    assert.deepEqual(ambiguousReadings(text, 'pt-BR'), both);
  }
  for (const one of ['9,807', '9807', '9.81', '0.807', '9.8070', '1234.567', '1.500,0', '1.500.000', '1.500e0']) {
    assert.equal(ambiguousReadings(one, 'pt-BR'), null, one);
    assert.ok(Number.isFinite(parseInput(one, 'pt-BR')), one);
  }
  assert.deepEqual(['9.807', '1.500', '9,807', '1,500'].map((text) => parseInput(text, 'en')), [9.807, 1.5, 9807, 1500]);
});
