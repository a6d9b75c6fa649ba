import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CaseRunner } from './case-runner.ts';
import { Coordinator } from './coordinator.ts';
import { OpenStudies } from './open-studies.ts';

const soon = () => new Promise((resolve) => setTimeout(resolve, 0));
const REQUEST = { study: 'rays', options: '{"quick":true}' };
const AROUND = { agent: 'a test', cores: 2, started: '', finished: null, resumed: 0 };
const requestResults = (id) => ({ kind: 'results', id, request: REQUEST, measured: { rows: '[]', environment: AROUND }, language: 'en' });

const study = { plan: () => '{"cases":[],"command":[]}', results: () => 'results', csv: () => 'csv', report: () => 'html', free: () => undefined };
const engine = { build: 'studies-1.wasm', catalog: () => '{"studies":[]}', open: () => study, lastPanic: () => '' };

test('the engine is loaded once, for plan, results and report', async () => {
  const sent = [];
  let loads = 0;
  const coordinator = new Coordinator((each) => sent.push(each), async () => ((loads += 1), engine));
  coordinator.receive({ kind: 'list', id: 1, request: REQUEST });
  await soon();
  coordinator.receive(requestResults(2));
  coordinator.receive(requestResults(3));
  coordinator.receive({ ...requestResults(4), kind: 'write' });
  await soon();
  assert.deepEqual(sent.map(({ kind, id }) => [kind, id]), [['ready', undefined], ['listed', 1], ['results', 2], ['results', 3], ['written', 4]]);
  assert.deepEqual([sent[2].results, sent[2].csv, sent[4].html], ['results', 'csv', 'html']);
  assert.equal(loads, 1);
});

test('an invalid request is rejected, and a panic is reported as a failure', async () => {
  for (const [panic, kind] of [['', 'refused'], ['index out of bounds', 'failed']]) {
    const sent = [];
    const broken = { ...engine, open: () => { throw new Error('--sizes 0: give 1'); }, lastPanic: () => panic };
    const coordinator = new Coordinator((each) => sent.push(each), async () => broken);
    coordinator.receive({ kind: 'list', id: 1, request: REQUEST });
    await soon();
    assert.equal(sent.at(-1).kind, kind);
    assert.match(sent.at(-1).why ?? sent.at(-1).message, panic === '' ? /--sizes 0/ : /out of bounds/);
  }
});

test('stored rows are checked: valid with the plan of today, invalid without', async () => {
  const sent = [];
  const results = (rows) => { if (rows !== '[]') throw new Error('the rows are of another study'); return 'results'; };
  const coordinator = new Coordinator((each) => sent.push(each), async () => ({ ...engine, open: () => ({ ...study, results }) }));
  for (const [id, rows] of [[1, '[]'], [2, '[{}]']]) coordinator.receive({ kind: 'check', id, request: REQUEST, measured: { rows, environment: AROUND } });
  await soon();
  assert.deepEqual(sent[0], { kind: 'ready', catalog: { studies: [] }, build: 'studies-1.wasm' });
  assert.deepEqual(sent.slice(1), [{ kind: 'checked', id: 1, plan: { cases: [], command: [] } }, { kind: 'checked', id: 2, plan: null }]);
});

test('a panic while a report is written is a failure, reported once', async () => {
  const sent = [];
  let panic = '';
  const report = () => { panic = 'index out of bounds'; throw new WebAssembly.RuntimeError('unreachable'); };
  const broken = { ...engine, open: () => ({ ...study, report }), lastPanic: () => panic };
  const coordinator = new Coordinator((each) => sent.push(each), async () => broken);
  await soon();
  coordinator.receive({ ...requestResults(1), kind: 'write' });
  coordinator.receive(requestResults(2));
  assert.deepEqual(sent.slice(1), [{ kind: 'failed', message: 'index out of bounds' }]);
});

test('a measuring worker reports progress at intervals, and then the rows', async () => {
  const sent = [];
  const study = {
    measure: (number, listener) => {
      for (let step = 0; step < 1000; step += 1) listener.advanced(2);
      return `[${number}]`;
    },
    free: () => undefined,
  };
  const worker = new CaseRunner((each) => sent.push(each), async () => ({ ...engine, open: () => study }));
  worker.receive({ kind: 'measure', request: REQUEST, case: 7 });
  await soon();
  assert.deepEqual(sent.at(-1), { kind: 'measured', case: 7, rows: '[7]' });
  assert.ok(sent.length < 20, `${sent.length} messages`);
  assert.deepEqual(sent[0], { kind: 'advanced', case: 7, work: 2 });
});

test('at most two studies stay open, and are reused', () => {
  const made = [];
  const freed = [];
  const opened = new OpenStudies({ open: (study) => (made.push(study), { free: () => freed.push(study) }) });
  const request = (study) => ({ study, options: '{}' });
  opened.get(request('a'));
  opened.get(request('b'));
  opened.get(request('a'));
  opened.get(request('c'));
  assert.deepEqual([made, freed], [['a', 'b', 'c'], ['b']]);
});
