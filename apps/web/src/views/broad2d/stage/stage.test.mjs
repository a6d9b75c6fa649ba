import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Stage } from './stage.ts';

const SCENE = {
  width: 100,
  height: 100,
  objects: 3,
  bounds: 'aabb',
  minSize: 1,
  maxSize: 2,
  minSpeed: 1,
  maxSpeed: 2,
  technique: 'auto',
  cellSize: 0,
  seed: 1,
};

/** Does nothing but count its frames; refuses 0 objects, and traps where a test says so. */
function engine({ trapAt = Infinity, detectMs = 0, lastWords = '' } = {}) {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const alive = { worlds: 0 };
  class Run {
    frame = 0;
    missed = 0;
    touching = 0;
    bytes = 64;
    cellsLength = 0;
    begunLength = 0;
    sumTests = 0;
    sumPairs = 0;
    sumMissed = 0;
    sumPlaces = 0;
    tests = 7;
    pairs = 2;
    constructor(json) {
      this.objects = JSON.parse(json).objects;
      this.#refuseIf(this.objects === 0, 'objects');
      alive.worlds += 1;
    }
    #refuseIf(wrong, field) {
      if (wrong) throw new Error(JSON.stringify({ problems: [{ field, problem: 'too-small' }] }));
    }
    advance() {
      this.frame += 1;
      if (this.frame === trapAt) throw new WebAssembly.RuntimeError('unreachable');
    }
    detect() {
      const until = performance.now() + detectMs;
      while (performance.now() < until);
    }
    settle() {
      this.sumTests += this.tests;
      this.sumPairs += this.pairs;
      // Every frame's views are those of another buffer.
      memory.grow(1);
      new Float32Array(memory.buffer, 16, 4).fill(this.frame);
    }
    change(technique) {
      this.#refuseIf(technique === 'none', 'technique');
    }
    look() {}
    inspect(object) {
      const known = { object, box: [0, 0, 1, 1], cells: [[0, 0, 9, 9]], tested: [], testedOthers: 0, testedCount: 0 };
      return JSON.stringify({ ...known, touching: [], missed: [] });
    }
    objectAt() {
      return -1;
    }
    advice() {
      return JSON.stringify({ technique: 'sweep', cell: null, reason: { en: '', 'pt-BR': '' } });
    }
    free() {
      alive.worlds -= 1;
    }
    get objectsLength() {
      return 4 * this.objects;
    }
    objectsPointer = () => 16;
    flagsPointer = () => 0;
    cellsPointer = () => 16;
    begunPointer = () => 16;
  }
  return { catalogue: () => '{"techniques":[]}', lastPanic: () => lastWords, Run, memory, alive };
}

/** A stage without a canvas, and everything that it says. */
function staged(made = engine()) {
  const said = [];
  const stage = new Stage((message) => said.push(message), async () => made);
  const kinds = () => said.map(({ kind }) => kind).filter((kind) => kind !== 'heard');
  const until = async (kind) => {
    for (let tries = 0; tries < 500; tries += 1) {
      const found = said.findLast((message) => message.kind === kind);
      if (found !== undefined) return found;
      await sleep(5);
    }
    return assert.fail(`never said ${kind}, but ${kinds()}`);
  };
  return { stage, said, kinds, until, made };
}

test('what is said before the engine is there waits for it', async () => {
  const { stage, kinds, until } = staged();
  stage.receive({ kind: 'start', parameters: SCENE, playing: false });
  assert.deepEqual(kinds(), []);
  await until('frame');
  assert.deepEqual(kinds(), ['ready', 'started', 'playing', 'frame']);
  stage.close();
});

test('an engine that cannot be loaded is said in words', async () => {
  const said = [];
  new Stage((message) => said.push(message), () => Promise.reject(new Error('no such file')));
  await sleep(5);
  assert.deepEqual(said, [{ kind: 'failed', message: 'Error: no such file' }]);
});

test('a refused scene leaves the one before running', async () => {
  const { stage, said, until } = staged();
  stage.receive({ kind: 'start', parameters: SCENE, playing: true });
  await until('started');
  stage.receive({ kind: 'start', parameters: { ...SCENE, objects: 0 }, playing: false });
  stage.receive({ kind: 'change', technique: 'none', cellSize: 0 });
  const refusals = said.filter(({ kind }) => kind === 'refused');
  assert.deepEqual(
    refusals.map(({ problems }) => problems[0].field),
    ['objects', 'technique'],
  );
  const before = (await until('frame')).report.frame;
  await sleep(200);
  assert.ok((await until('frame')).report.frame > before);
  stage.close();
});

test('a trap is said once, and nothing after it', async () => {
  const { stage, said, kinds, until } = staged(engine({ trapAt: 3 }));
  stage.receive({ kind: 'start', parameters: SCENE, playing: true });
  assert.match((await until('failed')).message, /unreachable/);
  const after = kinds().length;
  for (const kind of ['play', 'pause', 'fit', 'advise']) stage.receive({ kind });
  stage.receive({ kind: 'start', parameters: SCENE, playing: true });
  await sleep(50);
  assert.equal(kinds().length, after);
  assert.equal(said.filter(({ kind }) => kind === 'failed').length, 1);
});

test('what the engine said before it trapped is what people read', async () => {
  const lastWords = 'index out of bounds: the len is 3 but the index is 7 (crates/lab/src/live/run.rs, line 9)';
  const { stage, until } = staged(engine({ trapAt: 3, lastWords }));
  stage.receive({ kind: 'start', parameters: SCENE, playing: true });
  assert.equal((await until('failed')).message, lastWords);
});

test('an answer names the question, also where the world is refused', async () => {
  const { stage, said, until } = staged();
  stage.receive({ kind: 'start', ask: 1, parameters: SCENE, playing: false });
  await until('started');
  stage.receive({ kind: 'change', ask: 2, technique: 'tree', cellSize: 0 });
  stage.receive({ kind: 'change', ask: 3, technique: 'none', cellSize: 0 });
  stage.receive({ kind: 'start', ask: 4, parameters: { ...SCENE, objects: 0 }, playing: false });
  const answers = said.filter(({ ask }) => ask !== undefined).map(({ kind, ask }) => [kind, ask]);
  assert.deepEqual(answers, [['started', 1], ['changed', 2], ['refused', 3], ['refused', 4]]);
  stage.close();
});

test('a smaller world that lacks the selected object says that none is selected', async () => {
  const { stage, said, until } = staged();
  stage.receive({ kind: 'start', parameters: SCENE, playing: false });
  stage.receive({ kind: 'select', object: 2 });
  assert.equal((await until('selected')).selection.object, 2);
  stage.receive({ kind: 'start', parameters: { ...SCENE, objects: 2 }, playing: false });
  assert.equal(said.findLast(({ kind }) => kind === 'selected').selection, null);
  stage.close();
});

test('what the pointer only passes over is let go when it leaves, what was clicked is kept', async () => {
  const made = engine();
  made.Run.prototype.objectAt = (x) => (x < 50 ? 1 : -1);
  const { stage, said, until } = staged(made);
  const latest = () => said.findLast(({ kind }) => kind === 'selected').selection;
  const tell = async (message) => {
    stage.receive(message);
    await sleep(60);
  };
  stage.receive({ kind: 'start', parameters: SCENE, playing: false });
  await until('frame');
  await tell({ kind: 'point-at', place: { x: 0, y: 0 } });
  assert.deepEqual([latest().object, latest().kept], [1, false]);
  await tell({ kind: 'point-at', place: null });
  assert.equal(latest(), null);
  stage.receive({ kind: 'select-at', x: 0, y: 0 });
  // Before the click was looked up.
  await tell({ kind: 'point-at', place: null });
  assert.deepEqual([latest().object, latest().kept], [1, true]);
  await tell({ kind: 'point-at', place: { x: 1e6, y: 0 } });
  assert.equal(latest().object, 1);
  await tell({ kind: 'select-at', x: 1e6, y: 0 });
  assert.equal(latest(), null);
  stage.close();
});

test('a view moved to where nothing is says so, and takes it back', async () => {
  const { stage, said, until } = staged();
  stage.receive({ kind: 'start', parameters: SCENE, playing: false });
  await until('frame');
  const latest = () => said.findLast(({ kind }) => kind === 'view')?.empty;
  stage.receive({ kind: 'zoom', factor: 1000, x: 0.9, y: 0.9 });
  await sleep(60);
  assert.equal(latest(), true);
  stage.receive({ kind: 'fit' });
  await sleep(60);
  assert.equal(latest(), false);
  stage.close();
});

test('a trap in a measurement is said too', async () => {
  const { stage, until } = staged(engine({ trapAt: 3 }));
  stage.receive({ kind: 'measure', id: 1, cases: [{ parameters: SCENE, frames: 9 }], drawn: false });
  assert.match((await until('failed')).message, /unreachable/);
});

test('a step makes its frames, tells the last, and sums them', async () => {
  const { stage, until } = staged();
  stage.receive({ kind: 'start', parameters: SCENE, playing: false });
  stage.receive({ kind: 'step', frames: 20 });
  await sleep(100);
  const { report } = await until('frame');
  assert.equal(report.frame, 20);
  assert.equal(report.sums.frames, 20);
  assert.equal(report.sums.tests, 140);
  stage.close();
});

test('a world is taken up again at a frame', async () => {
  const { stage, until } = staged();
  stage.receive({ kind: 'start', parameters: SCENE, playing: false, frame: 30 });
  assert.equal((await until('frame')).report.frame, 30);
  stage.close();
});

test('a measurement says a row a case, leaves out what is refused, and frees its worlds', async () => {
  const { stage, kinds, until, made } = staged();
  const cases = [SCENE, { ...SCENE, objects: 0 }, { ...SCENE, seed: 2 }].map((parameters) => ({
    parameters,
    frames: 10,
  }));
  stage.receive({ kind: 'start', parameters: SCENE, playing: true });
  stage.receive({ kind: 'measure', id: 4, cases, drawn: true });
  const { row } = await until('measured');
  assert.equal((await until('finished')).cancelled, false);
  assert.equal(row.testsPerFrame, 7);
  assert.equal(row.frames, 10);
  assert.ok(row.fps > 0);
  assert.equal(kinds().filter((kind) => kind === 'measured').length, 2);
  assert.equal(kinds().filter((kind) => kind === 'not-measured').length, 1);
  assert.equal(made.alive.worlds, 1);
  const before = kinds().length;
  await sleep(200);
  assert.ok(kinds().length > before, 'the scene goes on');
  stage.close();
  assert.equal(made.alive.worlds, 0);
});

test('a cancel is heard within a frame, and a new scene cancels too', async () => {
  for (const stop of [{ kind: 'cancel', id: 4 }, { kind: 'start', parameters: SCENE, playing: false }]) {
    const { stage, until } = staged(engine({ detectMs: 20 }));
    const cases = [{ parameters: SCENE, frames: 100_000 }];
    stage.receive({ kind: 'measure', id: 4, cases, drawn: false });
    await until('progress');
    const asked = performance.now();
    stage.receive(stop);
    assert.equal((await until('finished')).cancelled, true);
    assert.ok(performance.now() - asked < 100);
    stage.close();
  }
});

test('a measurement asked for while a cancelled one ends its frame is made, not cancelled with it', async () => {
  const { stage, said, until } = staged(engine({ detectMs: 30 }));
  const cases = [{ parameters: SCENE, frames: 3 }];
  stage.receive({ kind: 'measure', id: 1, cases: [{ parameters: SCENE, frames: 100_000 }], drawn: false });
  await until('progress');
  stage.receive({ kind: 'cancel', id: 1 });
  stage.receive({ kind: 'measure', id: 2, cases, drawn: false });
  await until('measured');
  await sleep(20);
  const ends = said.filter(({ kind }) => kind === 'finished').map(({ id, cancelled }) => [id, cancelled]);
  assert.deepEqual(ends, [[1, true], [2, false]]);
  stage.close();
});

test('a selection is told when it is made, when its world stops, and never if there is no such object', async () => {
  const { stage, said, until } = staged();
  stage.receive({ kind: 'start', parameters: SCENE, playing: false });
  await until('frame');
  const told = () => said.filter(({ kind }) => kind === 'selected').map(({ selection }) => selection);
  stage.receive({ kind: 'select-by', by: 1 });
  stage.receive({ kind: 'select-by', by: -1 });
  stage.receive({ kind: 'select', object: 99 });
  stage.receive({ kind: 'select', object: 1 });
  stage.receive({ kind: 'select-at', x: 5, y: 5 });
  stage.receive({ kind: 'select-at', x: 5, y: 5 });
  await sleep(60);
  stage.receive({ kind: 'select', object: 1 });
  assert.deepEqual(
    told().map((selection) => selection?.object ?? null),
    [0, 2, null, 1, null, 1],
  );
  assert.equal(told().at(-1).cells, 1);
  stage.receive({ kind: 'step', frames: 1 });
  await sleep(60);
  assert.equal(told().length, 7);
  stage.close();
});
