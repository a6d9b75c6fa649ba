import assert from 'node:assert/strict';
import { test } from 'node:test';

import { shownMarks, withMarks } from './marks.ts';

const spec = (marks, xLog = true) => ({ marks, xLog });

test('the axis contains every mark that it can show', () => {
  assert.deepEqual(withMarks(spec([[50, 'largest object'], [4000, 'far'], [0, 'none']]), 5, 2000), [5, 4000]);
  assert.deepEqual(withMarks(spec(undefined), 5, 2000), [5, 2000]);
});

test('marks without a logarithm are left out of a logarithmic axis', () => {
  assert.deepEqual(shownMarks(spec([[0, 'a'], [2, 'b']])), [[2, 'b']]);
  assert.deepEqual(shownMarks(spec([[0, 'a'], [2, 'b']], false)).length, 2);
});
