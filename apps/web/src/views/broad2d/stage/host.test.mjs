import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';

import { StageHost } from './host.ts';

const SCENE = { width: 100, height: 100, objects: 1000, technique: 'tree', cellSize: 0, seed: 1 };

/** As much of a browser as a canvas needs. */
globalThis.ResizeObserver = class {
  observe() {}
  disconnect() {}
};
globalThis.devicePixelRatio = 1;
globalThis.matchMedia = () => ({ addEventListener: () => undefined });
const canvas = () => ({
  style: {},
  remove: () => undefined,
  transferControlToOffscreen: () => ({}),
  getBoundingClientRect: () => ({ width: 100, height: 100 }),
});
const place = { append: () => undefined, ownerDocument: { createElement: canvas } };

beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
afterEach(() => mock.timers.reset());

/** A host whose workers do nothing but what the test says for them; each keeps what it was told. */
function hosted() {
  const workers = [];
  const said = [];
  const host = new StageHost(place, (message) => said.push(message), {
    runInWorker: (hear) => {
      const worker = { hear, told: [], closed: false };
      workers.push(worker);
      return { post: (message) => worker.told.push(message), close: () => (worker.closed = true) };
    },
  });
  const kinds = () => said.map(({ kind }) => kind);
  const latest = () => workers.at(-1);
  const of = (kind) => latest().told.filter((message) => message.kind === kind);
  return { host, workers, said, kinds, latest, of };
}

/** One that runs a scene, at a frame, with an object kept. */
function running(frame = 40) {
  const all = hosted();
  const { host, latest } = all;
  latest().hear({ kind: 'ready', catalogue: {} });
  host.send({ kind: 'theme', colours: {} });
  host.send({ kind: 'start', ask: 1, parameters: SCENE, playing: true });
  for (const message of [
    { kind: 'heard' },
    { kind: 'started', ask: 1, parameters: SCENE },
    { kind: 'playing', playing: true },
    { kind: 'frame', report: { frame } },
    { kind: 'selected', selection: { object: 7, kept: true } },
  ]) {
    latest().hear(message);
  }
  return all;
}

test('a worker that hears is left alone, however long its answer takes', () => {
  const { host, workers, latest } = running();
  host.send({ kind: 'change', ask: 2, technique: 'study-brute', cellSize: 0 });
  latest().hear({ kind: 'heard' });
  mock.timers.tick(60_000);
  assert.equal(workers.length, 1);
});

test('a worker that is deaf is replaced, and the new one takes up scene, frame and selection', () => {
  const { host, workers, latest, of } = running();
  host.send({ kind: 'change', ask: 2, technique: 'sweep', cellSize: 0 });
  mock.timers.tick(1500);
  assert.equal(workers.length, 2);
  assert.ok(workers[0].closed);
  assert.deepEqual(of('start'), [
    { kind: 'start', ask: 2, parameters: { ...SCENE, technique: 'sweep' }, playing: true, frame: 40 },
  ]);
  assert.deepEqual(of('select'), [{ kind: 'select', object: 7 }]);
  assert.equal(of('theme').length, 1);
  assert.deepEqual(latest().told.map(({ kind }) => kind).slice(-2), ['start', 'select']);
});

test('a way of more than a second to the present frame is not gone', () => {
  const { host, of } = running(1_000_000);
  host.send({ kind: 'change', ask: 2, technique: 'sweep', cellSize: 0 });
  mock.timers.tick(1500);
  assert.equal(of('start')[0].frame, 0);
});

test('a new worker whose scene is refused takes up the last one that worked, and the page hears only the refusal', () => {
  const { host, said, latest, of } = running();
  host.send({ kind: 'change', ask: 2, technique: 'study-grid', cellSize: -1 });
  mock.timers.tick(1500);
  latest().hear({ kind: 'ready', catalogue: {} });
  latest().hear({ kind: 'refused', ask: 2, problems: [] });
  const again = of('start').at(-1);
  assert.deepEqual([again.parameters, again.frame], [SCENE, 40]);
  const before = said.length;
  latest().hear({ kind: 'started', ask: again.ask, parameters: SCENE });
  latest().hear({ kind: 'frame', report: { frame: 40 } });
  assert.deepEqual(said.slice(before).map(({ kind }) => kind), ['frame']);
});

test('a cancel is answered though the worker is deep in a frame, and what it says later is not told', () => {
  const { host, said, kinds, latest } = running();
  host.send({ kind: 'measure', id: 3, cases: [], drawn: true });
  host.send({ kind: 'cancel', id: 3 });
  mock.timers.tick(79);
  assert.ok(!kinds().includes('finished'));
  mock.timers.tick(1);
  assert.deepEqual(said.at(-1), { kind: 'finished', id: 3, cancelled: true });
  const before = said.length;
  latest().hear({ kind: 'measured', id: 3, row: {} });
  latest().hear({ kind: 'finished', id: 3, cancelled: true });
  assert.equal(said.length, before);
});

test('a stage that failed is silent until it is started again', () => {
  const { host, said, workers, of, latest } = running();
  host.send({ kind: 'measure', id: 4, cases: [], drawn: true });
  latest().hear({ kind: 'failed', message: 'unreachable' });
  latest().hear({ kind: 'frame', report: { frame: 41 } });
  assert.equal(said.at(-1).kind, 'failed');
  host.restart();
  assert.equal(workers.length, 2);
  assert.deepEqual([of('start')[0].parameters, of('start')[0].frame], [SCENE, 0]);
  assert.deepEqual(said.at(-1), { kind: 'finished', id: 4, cancelled: true });
  host.dispose();
  assert.ok(workers[1].closed);
});
