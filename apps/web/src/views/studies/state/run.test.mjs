import assert from 'node:assert/strict';
import { test } from 'node:test';

import { casesLeft, leftMs, measuredOf, utc, workDone } from './run.ts';

const AROUND = { agent: 'a test', cores: 2, started: '2026-01-01T00:00:00Z', finished: null, resumed: 0 };
const run = (rows) => ({
  request: { study: 'rays', options: '{}' },
  plan: { cases: [{ key: 'a', work: 10 }, { key: 'b', work: 30 }, { key: 'c', work: 60 }], command: [] },
  rows,
  state: 'running',
  environment: AROUND,
});

test('rows are in the order of the report, whatever the order of completion', () => {
  assert.deepEqual(casesLeft(run(['[1]', null, '[3]'])), [1]);
  assert.deepEqual(JSON.parse(measuredOf(run(['[1]', null, '[3]'])).rows), [[1], [3]]);
  assert.equal(measuredOf(run([null, null, null])).rows, '[]');
});

test('the work of a running case counts up to the whole case, once', () => {
  assert.equal(workDone(run(['[1]', null, null]), new Map([[0, 5], [1, 15]])), 25);
  assert.equal(workDone(run([null, null, null]), new Map([[1, 1000]])), 30);
});

test('the remaining time follows the pace of the current session', () => {
  const progress = { advanced: new Map([[1, 15]]), began: 1000, doneBefore: 10 };
  // 15 units of work in 3 s; 75 are left.
  assert.equal(leftMs(run(['[1]', null, null]), progress, 4000), 15_000);
  assert.equal(leftMs(run(['[1]', null, null]), progress, 1500), null, 'not yet');
  assert.equal(leftMs(run(['[1]', null, null]), { ...progress, advanced: new Map() }, 9000), null, 'no pace yet');
});

test('timestamps have the format of the command line', () => {
  assert.equal(utc(new Date('2026-03-01T12:34:56.789Z')), '2026-03-01T12:34:56Z');
});
