import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Bench } from './bench.ts';
import { Desk } from './desk.ts';
import { Opened } from './opened.ts';

const soon = () => new Promise((resolve) => setTimeout(resolve, 0));
const REQUEST = { study: 'rays', asked: '{"quick":true}' };
const AROUND = { agent: 'a test', cores: 2, started: '', finished: null, resumed: 0 };
const tell = (id) => ({ kind: 'tell', id, request: REQUEST, measured: { rows: '[]', around: AROUND }, language: 'en' });

const plans = { catalogue: () => '{"studies":[]}', plan: () => '{"cases":[],"command":[]}', lastPanic: () => '' };
const opens = (study) => ({ open: () => ({ ...study, free: () => undefined }), lastPanic: () => '' });
const tells = opens({ told: () => 'told', csv: () => 'csv' });
const writes = opens({ html: () => 'html' });

test('what tells of the rows and what writes reports is fetched when it is asked first, and once', async () => {
  const said = [];
  const fetched = [];
  const load = (name, engine) => async () => (fetched.push(name), engine);
  const desk = new Desk((each) => said.push(each.kind), { plans: load('plans', plans), tells: load('tells', tells), writes: load('writes', writes) });
  desk.receive({ kind: 'list', id: 1, request: REQUEST });
  await soon();
  assert.deepEqual([said, fetched], [['ready', 'listed'], ['plans']]);
  desk.receive(tell(2));
  desk.receive(tell(3));
  await soon();
  assert.deepEqual([said.slice(2), fetched], [['told', 'told'], ['plans', 'tells']]);
  desk.receive({ ...tell(4), kind: 'write' });
  await soon();
  assert.deepEqual([said.slice(4), fetched], [['written'], ['plans', 'tells', 'writes']]);
});

test('what makes no study is refused, and what kills the engine is told as its death', async () => {
  for (const [panic, kind] of [['', 'refused'], ['index out of bounds', 'failed']]) {
    const said = [];
    const broken = { ...plans, plan: () => { throw new Error('--sizes 0: give 1'); }, lastPanic: () => panic };
    const desk = new Desk((each) => said.push(each), { plans: async () => broken, tells: async () => tells, writes: async () => writes });
    desk.receive({ kind: 'list', id: 1, request: REQUEST });
    await soon();
    assert.equal(said.at(-1).kind, kind);
    assert.match(said.at(-1).why ?? said.at(-1).message, panic === '' ? /--sizes 0/ : /out of bounds/);
  }
});

test('a bench says how far it is, not too often, and then the rows', async () => {
  const said = [];
  const study = {
    measure: (number, listener) => {
      for (let step = 0; step < 1000; step += 1) listener.advanced(2);
      return `[${number}]`;
    },
    free: () => undefined,
  };
  const bench = new Bench((each) => said.push(each), async () => ({ open: () => study, lastPanic: () => '' }));
  bench.receive({ kind: 'measure', request: REQUEST, case: 7 });
  await soon();
  assert.deepEqual(said.at(-1), { kind: 'measured', case: 7, rows: '[7]' });
  assert.ok(said.length < 20, `${said.length} messages`);
  assert.deepEqual(said[0], { kind: 'advanced', case: 7, work: 2 });
});

test('no more than two studies stay open, and those are not made again', () => {
  const made = [];
  const freed = [];
  const opened = new Opened({ open: (study) => (made.push(study), { free: () => freed.push(study) }), lastPanic: () => '' });
  const request = (study) => ({ study, asked: '{}' });
  opened.get(request('a'));
  opened.get(request('b'));
  opened.get(request('a'));
  opened.get(request('c'));
  assert.deepEqual([made, freed], [['a', 'b', 'c'], ['b']]);
});
