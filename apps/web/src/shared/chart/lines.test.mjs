import assert from 'node:assert/strict';
import { test } from 'node:test';

import { columns, extentOf, logMarks, span } from './lines.ts';

const line = (points) => ({ label: '', style: 0, kind: 'measured', points });

test('lines with different x share one column and are empty where they have no value', () => {
  const found = columns([line([[1, 10], [3, 30]]), line([[2, 20]])], false);
  assert.deepEqual(found, [[1, 2, 3], [10, null, 30], [null, 20, null]]);
});

test('a logarithmic axis omits values without a logarithm', () => {
  assert.deepEqual(columns([line([[1, 0], [2, 5]])], true), [[1, 2], [null, 5]]);
});

test('an axis without values has a valid range', () => {
  for (const isLog of [true, false]) {
    const [min, max] = span(Number.NaN, Number.NaN, isLog, true);
    assert.ok(min < max);
  }
  const [min, max] = span(7, 7, true, false);
  assert.ok(min < 7 && max > 7);
});

test('a logarithmic axis has at least two ticks and no more than fit', () => {
  for (const [min, max] of [[4, 2300], [0.003, 900], [1, 2.5], [30, 70], [1e-4, 1e9], [41, 47]]) {
    const marks = logMarks(min, max);
    assert.ok(marks.length >= 2 && marks.length <= 9, `${min} to ${max}: ${marks}`);
    assert.ok(marks.every((mark) => mark >= min * 0.99 && mark <= max * 1.01));
  }
});

test('a logarithmic axis of amounts has a tick below all data', () => {
  for (const [low, high] of [[4605, 4_498_500], [179_700, 179_700], [1000, 1e6], [0.0123, 18.8], [3, 4.5e9], [9.9e-5, 2]]) {
    const [min, max] = span(low, high, true, true);
    const marks = logMarks(min, max);
    assert.ok(marks[0] < low && marks[0] >= low / 5.3, `${low} to ${high}: ${marks}`);
    assert.ok(marks.at(-1) <= max * 1.01 && marks.length >= 2 && marks.length <= 9, `${low} to ${high}: ${marks}`);
    assert.ok(new Set(marks).size === marks.length && marks.every((mark, place) => place === 0 || mark > marks[place - 1]));
  }
});

test('labels of a logarithmic axis are far enough apart', () => {
  for (const [min, max] of [[10, 100], [10, 115], [20, 200], [25, 250], [30, 70], [8, 120], [1, 9.5], [100, 1000], [4, 2300]]) {
    const marks = logMarks(min, max);
    const shares = marks.slice(1).map((mark, place) => Math.log(mark / marks[place]) / Math.log(max / min));
    assert.ok(shares.every((share) => share >= 0.1), `${min} to ${max}: ${marks}`);
  }
  assert.ok(!logMarks(10, 110).includes(90), 'not 90 beside 100');
});

test('error bars belong to the range of an axis', () => {
  const measured = { ...line([[1, 5], [2, 6]]), bars: [[1, 4, 9], [2, 0, 6]] };
  assert.deepEqual(extentOf([measured], false), [0, 9]);
  assert.deepEqual(extentOf([measured], true), [4, 9], 'zero has no logarithm');
});
