import assert from 'node:assert/strict';
import { test } from 'node:test';

import { casesLeft, leftMs, measuredOf, shareDone, smoothedEnd, utc, workDone } from './run.ts';

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

test('the share agrees with the count of cases, and a running case counts by its own progress', () => {
  assert.equal(shareDone(run(['[1]', null, null]), new Map()), 1 / 3);
  assert.equal(shareDone(run(['[1]', null, null]), new Map([[1, 15]])), 0.5);
  assert.equal(shareDone(run(['[1]', '[2]', '[3]']), new Map([[2, 60]])), 1);
  assert.equal(shareDone({ ...run([]), plan: { cases: [], command: [] } }, new Map()), 0);
});

test('the estimated end is smoothed: a jump of the pace moves it gradually', () => {
  const first = smoothedEnd(null, 8_000_000, 3000);
  assert.deepEqual(first, { at: 8_003_000, updated: 3000 });
  assert.equal(smoothedEnd(first, null, 3200), first, 'kept while the pace is not known');
  const next = smoothedEnd(first, 2_000_000, 3200);
  assert.ok(next.at > 7_900_000 && next.at < first.at);
  const late = smoothedEnd(next, 2_000_000, 120_000);
  assert.ok(Math.abs(late.at - 2_120_000) < 10_000);
});

test('timestamps have the format of the command line', () => {
  assert.equal(utc(new Date('2026-03-01T12:34:56.789Z')), '2026-03-01T12:34:56Z');
});
