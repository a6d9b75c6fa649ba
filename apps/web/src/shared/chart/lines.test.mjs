import assert from 'node:assert/strict';
import { test } from 'node:test';

import { columns, logMarks, span } from './lines.ts';

const line = (points) => ({ label: '', style: 0, kind: 'measured', points });

test('lines with different x share one column and are empty where they have no value', () => {
  const found = columns([line([[1, 10], [3, 30]]), line([[2, 20]])], false);
  assert.deepEqual(found, [[1, 2, 3], [10, null, 30], [null, 20, null]]);
});

test('a logarithmic axis leaves out what has no logarithm', () => {
  assert.deepEqual(columns([line([[1, 0], [2, 5]])], true), [[1, 2], [null, 5]]);
});

test('an axis without values is still an axis', () => {
  for (const isLog of [true, false]) {
    const [least, greatest] = span(Number.NaN, Number.NaN, isLog, true);
    assert.ok(least < greatest);
  }
  const [least, greatest] = span(7, 7, true, false);
  assert.ok(least < 7 && greatest > 7);
});

test('a logarithmic axis has at least two marks and not more than fit', () => {
  for (const [least, greatest] of [[4, 2300], [0.003, 900], [1, 2.5], [30, 70], [1e-4, 1e9], [41, 47]]) {
    const marks = logMarks(least, greatest);
    assert.ok(marks.length >= 2 && marks.length <= 9, `${least} to ${greatest}: ${marks}`);
    assert.ok(marks.every((mark) => mark >= least * 0.99 && mark <= greatest * 1.01));
  }
});

test('a logarithmic axis of amounts has a mark below all that is drawn', () => {
  for (const [low, high] of [[4605, 4_498_500], [179_700, 179_700], [1000, 1e6], [0.0123, 18.8], [3, 4.5e9], [9.9e-5, 2]]) {
    const [least, greatest] = span(low, high, true, true);
    const marks = logMarks(least, greatest);
    assert.ok(marks[0] < low && marks[0] >= low / 5.3, `${low} to ${high}: ${marks}`);
    assert.ok(marks.at(-1) <= greatest * 1.01 && marks.length >= 2 && marks.length <= 9, `${low} to ${high}: ${marks}`);
    assert.ok(new Set(marks).size === marks.length && marks.every((mark, place) => place === 0 || mark > marks[place - 1]));
  }
});
