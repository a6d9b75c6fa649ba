import assert from 'node:assert/strict';
import { test } from 'node:test';

import { blocksOf, byKind, countsOf, parseResults, sourceOf } from './report-data.ts';

const finding = (verdict, ours) => ({ claim: 'c', published: '98.95%', ours, verdict, note: '' });
const verdictsOf = (findings) => {
  const report = { language: 'en', title: '', lead: '', sections: [{ id: 'a', heading: '', blocks: [{ kind: 'findings', of: findings }] }] };
  return blocksOf(parseResults(JSON.stringify({ report, disagreements: 0 }), 'a,b\n').report.sections, 'findings').flat();
};

test('verdicts have four names, and those of earlier engines are read', () => {
  const names = ['confirmed', 'notConfirmed', 'undecided', 'notRun', 'held', 'notHeld', 'notMeasured', 'toString', 'of another engine'];
  assert.deepEqual(verdictsOf(names.map((name) => finding(name, '–'))).map(({ verdict }) => verdict), [
    ...['confirmed', 'notConfirmed', 'undecided', 'notRun'],
    ...['confirmed', 'notConfirmed', 'notRun', 'undecided', 'undecided'],
  ]);
});

test('a finding with a measured figure is not counted as not run', () => {
  const findings = verdictsOf([finding('notMeasured', '98.96%'), finding('notRun', '–'), finding('confirmed', '1')]);
  assert.deepEqual(countsOf(findings), { confirmed: 1, not: 0, undecided: 1, open: 1 });
});

test('findings are grouped by kind, and those of earlier engines count as published', () => {
  const of = (kind, claim) => ({ ...finding('confirmed', '1'), claim, ...(kind !== undefined && { kind }) });
  const groups = byKind([of('foundHere', 'a'), of('published', 'b'), of(undefined, 'c'), of('foundHere', 'd')]);
  assert.deepEqual(
    groups.map(({ kind, findings }) => [kind, findings.map(({ claim }) => claim)]),
    [['published', ['b', 'c']], ['foundHere', ['a', 'd']]],
  );
});

test('the source of a finding names author and place', () => {
  assert.equal(sourceOf({ source: 'Lorenzi 2014', place: 'conclusion' }), 'Lorenzi 2014, conclusion');
  assert.equal(sourceOf({ source: 'Embate', place: '' }), 'Embate');
  assert.equal(sourceOf({}), '');
});
