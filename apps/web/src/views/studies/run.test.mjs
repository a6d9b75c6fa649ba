import assert from 'node:assert/strict';
import { test } from 'node:test';

import { casesLeft, leftMs, measuredOf, utc, workDone } from './run.ts';

const AROUND = { agent: 'a test', cores: 2, started: '2026-01-01T00:00:00Z', finished: null, resumed: 0 };
const run = (rows) => ({
  request: { study: 'rays', asked: '{}' },
  plan: { cases: [{ key: 'a', work: 10 }, { key: 'b', work: 30 }, { key: 'c', work: 60 }], command: [] },
  rows,
  state: 'running',
  around: AROUND,
});

test('what is measured is put together in the order of the report, whoever came first', () => {
  assert.deepEqual(casesLeft(run(['[1]', null, '[3]'])), [1]);
  assert.deepEqual(JSON.parse(measuredOf(run(['[1]', null, '[3]'])).rows), [[1], [3]]);
  assert.equal(measuredOf(run([null, null, null])).rows, '[]');
});

test('work of a case under way counts up to the whole case, and not twice', () => {
  assert.equal(workDone(run(['[1]', null, null]), new Map([[0, 5], [1, 15]])), 25);
  assert.equal(workDone(run([null, null, null]), new Map([[1, 1000]])), 30);
});

test('what is left is told by the pace since the last beginning', () => {
  const progress = { advanced: new Map([[1, 15]]), began: 1000, doneBefore: 10 };
  // 15 of work in 3 s; 75 are left.
  assert.equal(leftMs(run(['[1]', null, null]), progress, 4000), 15_000);
  assert.equal(leftMs(run(['[1]', null, null]), progress, 1500), null, 'not yet');
  assert.equal(leftMs(run(['[1]', null, null]), { ...progress, advanced: new Map() }, 9000), null, 'no pace yet');
});

test('moments are written as the command line writes them', () => {
  assert.equal(utc(new Date('2026-03-01T12:34:56.789Z')), '2026-03-01T12:34:56Z');
});
