import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { Stage } from './stage.ts';

/** A display that shows a picture whenever the test says so. */
let asked = [];
let time = 0;
globalThis.requestAnimationFrame = (call) => asked.push(call);

beforeEach(() => {
  asked = [];
  time = performance.now();
});

/** Many enough that every report is due. */
function show(pictures = 12) {
  for (let picture = 0; picture < pictures; picture += 1) {
    time += 1000 / 60;
    for (const call of asked.splice(0)) call(time);
  }
}

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
  const alive = { worlds: 0, frames: 0 };
  class Run {
    frame = 0;
    missed = 0;
    touching = 0;
    bytes = 64;
    cellsLength = 0;
    strikesLength = 0;
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
      alive.frames += 1;
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
    strikesPointer = () => 16;
  }
  return { catalogue: () => '{"techniques":[]}', lastPanic: () => lastWords, Run, memory, alive };
}

/** A stage without a canvas, and everything that it says. */
function staged(made = engine()) {
  const said = [];
  let heard = () => undefined;
  const stage = new Stage(
    (message) => {
      said.push(message);
      heard();
    },
    async () => made,
  );
  const kinds = () => said.map(({ kind }) => kind).filter((kind) => kind !== 'heard');
  const all = (kind) => said.filter((message) => message.kind === kind);
  /** Waits for as long as it takes; the runner ends a test that never hears it. */
  const until = (kind, fits = () => true) =>
    new Promise((resolve) => {
      heard = () => {
        const found = said.findLast((message) => message.kind === kind && fits(message));
        if (found !== undefined) resolve(found);
      };
      heard();
    });
  return { stage, said, kinds, all, until, made };
}

/** One whose scene is there, and stands still unless it plays. */
async function started(made = engine(), playing = false) {
  const all = staged(made);
  all.stage.receive({ kind: 'start', ask: 1, parameters: SCENE, playing });
  await all.until('frame');
  return all;
}

const caseOf = (frames, parameters = SCENE) => ({ parameters, frames });

test('what is said before the engine is there waits for it', async () => {
  const { stage, kinds, until } = staged();
  stage.receive({ kind: 'start', ask: 1, parameters: SCENE, playing: false });
  assert.deepEqual(kinds(), []);
  await until('frame');
  assert.deepEqual(kinds(), ['ready', 'started', 'playing', 'frame']);
  stage.close();
});

test('an engine that cannot be loaded is said in words', async () => {
  const said = await new Promise((resolve) => new Stage(resolve, () => Promise.reject(new Error('no such file'))));
  assert.deepEqual(said, { kind: 'failed', message: 'Error: no such file' });
});

test('a refused scene leaves the one before running', async () => {
  const { stage, all } = await started(engine(), true);
  stage.receive({ kind: 'start', ask: 2, parameters: { ...SCENE, objects: 0 }, playing: false });
  stage.receive({ kind: 'change', ask: 3, technique: 'none', cellSize: 0 });
  assert.deepEqual(
    all('refused').map(({ problems }) => problems[0].field),
    ['objects', 'technique'],
  );
  show();
  assert.ok(all('frame').at(-1).report.frame > 0);
  stage.close();
});

test('a trap is said once, and nothing after it', async () => {
  const { stage, kinds, all } = await started(engine({ trapAt: 3 }), true);
  show();
  assert.match(all('failed')[0].message, /unreachable/);
  const after = kinds().length;
  for (const kind of ['play', 'pause', 'fit', 'advise']) stage.receive({ kind });
  stage.receive({ kind: 'start', ask: 2, parameters: SCENE, playing: true });
  show();
  assert.equal(kinds().length, after);
  assert.equal(all('failed').length, 1);
});

test('what the engine said before it trapped is what people read', async () => {
  const lastWords = 'index out of bounds: the len is 3 but the index is 7 (crates/lab/src/live/run.rs, line 9)';
  const { all } = await started(engine({ trapAt: 3, lastWords }), true);
  show();
  assert.equal(all('failed')[0].message, lastWords);
});

test('an answer names the question, also where the world is refused', async () => {
  const { stage, said } = await started();
  stage.receive({ kind: 'change', ask: 2, technique: 'tree', cellSize: 0 });
  stage.receive({ kind: 'change', ask: 3, technique: 'none', cellSize: 0 });
  stage.receive({ kind: 'start', ask: 4, parameters: { ...SCENE, objects: 0 }, playing: false });
  const answers = said.filter(({ ask }) => ask !== undefined).map(({ kind, ask }) => [kind, ask]);
  assert.deepEqual(answers, [
    ['heard', 1], ['started', 1], ['heard', 2], ['changed', 2], ['heard', 3], ['refused', 3], ['heard', 4], ['refused', 4],
  ]);
  stage.close();
});

test('a smaller world that lacks the selected object says that none is selected', async () => {
  const { stage, all } = await started();
  stage.receive({ kind: 'select', object: 2 });
  assert.equal(all('selected').at(-1).selection.object, 2);
  stage.receive({ kind: 'start', ask: 2, parameters: { ...SCENE, objects: 2 }, playing: false });
  assert.equal(all('selected').at(-1).selection, null);
  stage.close();
});

test('a scene that is taken up again has its object selected, and nobody chose it now', async () => {
  const { stage, all, until } = staged();
  stage.receive({ kind: 'start', ask: 0, parameters: SCENE, playing: false, selected: 2, frame: 30 });
  const { selection, chosen } = await until('selected');
  assert.deepEqual([selection.object, selection.kept, chosen], [2, true, false]);
  assert.equal(all('frame').at(-1).report.frame, 30);
  stage.receive({ kind: 'start', ask: 1, parameters: SCENE, playing: false, selected: 99 });
  assert.equal(all('selected').at(-1).selection, null);
  stage.receive({ kind: 'select', object: 1 });
  stage.receive({ kind: 'start', ask: 2, parameters: SCENE, playing: false, selected: null });
  assert.equal(all('selected').at(-1).selection, null, 'a link without one lets go');
  stage.close();
});

test('what the pointer only passes over is let go when it leaves, what was clicked is kept', async () => {
  const made = engine();
  made.Run.prototype.objectAt = (x) => (x < 50 ? 1 : -1);
  const { stage, all } = await started(made);
  const told = (message) => {
    stage.receive(message);
    show();
    const { selection, chosen } = all('selected').at(-1);
    return [selection?.object ?? null, selection?.kept ?? false, chosen];
  };
  assert.deepEqual(told({ kind: 'point-at', place: { x: 0, y: 0 } }), [1, false, false]);
  assert.deepEqual(told({ kind: 'point-at', place: null }), [null, false, false]);
  stage.receive({ kind: 'select-at', x: 0, y: 0 });
  // Before the click was looked up.
  assert.deepEqual(told({ kind: 'point-at', place: null }), [1, true, true]);
  assert.deepEqual(told({ kind: 'point-at', place: { x: 1e6, y: 0 } }).slice(0, 2), [1, true]);
  assert.deepEqual(told({ kind: 'select-at', x: 1e6, y: 0 }), [null, false, true]);
  stage.close();
});

test('what is seen is told when it changes, and of every new scene', async () => {
  const { stage, all } = await started();
  const told = (message) => {
    const before = all('seen').length;
    if (message !== undefined) stage.receive(message);
    show();
    return all('seen').slice(before).map(({ seen }) => [seen.empty, seen.whole]);
  };
  assert.deepEqual(told(), [[false, true]]);
  assert.deepEqual(told({ kind: 'zoom', factor: 1000, x: 0.9, y: 0.9 }), [[true, false]]);
  assert.deepEqual(told({ kind: 'zoom', factor: 1.1, x: 0.9, y: 0.9 }), []);
  assert.deepEqual(told({ kind: 'zoom', factor: 1e-9, x: 0.9, y: 0.9 }), [[false, true]], 'out as far as it goes');
  assert.deepEqual(told({ kind: 'zoom', factor: 1e-9, x: 0.9, y: 0.9 }), []);
  told({ kind: 'zoom', factor: 1000, x: 0.9, y: 0.9 });
  const larger = { ...SCENE, width: 300 };
  assert.deepEqual(told({ kind: 'start', ask: 2, parameters: larger, playing: false }), [[false, true]], 'is seen whole');
  assert.deepEqual(told({ kind: 'start', ask: 3, parameters: larger, playing: false }), [[false, true]]);
  stage.close();
});

test('a trap in a measurement is said too', async () => {
  const { stage, until } = staged(engine({ trapAt: 3 }));
  stage.receive({ kind: 'measure', id: 1, cases: [caseOf(9)] });
  assert.match((await until('failed')).message, /unreachable/);
});

test('steps make their frames, tell the last as stepped to, and are summed', async () => {
  const { stage, all } = await started();
  for (let step = 0; step < 20; step += 1) stage.receive({ kind: 'step' });
  show();
  const { report } = all('frame').at(-1);
  assert.deepEqual([report.frame, report.sums.frames, report.sums.tests], [20, 20, 140]);
  assert.deepEqual(all('frame').map((said) => said.report.stepped), [false, true]);
  stage.close();
});

test('a step while it plays pauses, and only the frame stepped to is told as such', async () => {
  const { stage, all } = await started(engine(), true);
  show();
  stage.receive({ kind: 'step' });
  const paused = all('frame').at(-1).report.frame;
  show();
  const stepped = all('frame').filter(({ report }) => report.stepped);
  assert.deepEqual(stepped.map(({ report }) => report.frame), [paused + 1]);
  assert.equal(all('playing').at(-1).playing, false);
  stage.close();
});

test('a measurement says a row a case, leaves out what is refused, and frees its worlds', async () => {
  const { stage, all, until, made } = await started(engine(), true);
  const cases = [SCENE, { ...SCENE, objects: 0 }, { ...SCENE, seed: 2 }].map((parameters) => caseOf(10, parameters));
  stage.receive({ kind: 'measure', id: 4, cases });
  assert.equal((await until('finished')).cancelled, false);
  const [{ row }, ...more] = all('measured');
  assert.deepEqual([row.testsPerFrame, row.frames, more.length], [7, 10, 1]);
  assert.ok(row.fps > 0);
  assert.equal(all('not-measured').length, 1);
  // What follows the last word of a measurement follows it at once.
  await new Promise(setImmediate);
  assert.equal(made.alive.worlds, 1);
  const before = all('frame').length;
  show();
  assert.ok(all('frame').length > before, 'the scene goes on');
  stage.close();
  assert.equal(made.alive.worlds, 0);
});

test('a measurement says after a frame how long its case will go on', async () => {
  const { stage, until } = staged(engine({ detectMs: 40 }));
  stage.receive({ kind: 'measure', id: 4, cases: [caseOf(1000), caseOf(1000)] });
  const { leftMs, done } = await until('progress', (said) => said.leftMs !== null);
  assert.ok(leftMs >= (1000 - done) * 40, `${leftMs} ms after ${done} frames`);
  stage.close();
});

test('a cancel is heard within a frame, and a new scene cancels too', async () => {
  for (const stop of [{ kind: 'cancel', id: 4 }, { kind: 'start', ask: 1, parameters: SCENE, playing: false }]) {
    // A frame takes longer than it may go without listening.
    const { stage, until, made } = staged(engine({ detectMs: 40 }));
    stage.receive({ kind: 'measure', id: 4, cases: [caseOf(100_000)] });
    await until('progress', ({ done }) => done > 0);
    const before = made.alive.frames;
    stage.receive(stop);
    assert.equal((await until('finished')).cancelled, true);
    assert.ok(made.alive.frames - before <= 1, `${made.alive.frames - before} frames`);
    stage.close();
  }
});

test('a measurement asked for while a cancelled one ends its frame is made, not cancelled with it', async () => {
  for (const stop of [{ kind: 'cancel', id: 1 }, { kind: 'start', ask: 1, parameters: SCENE, playing: false }]) {
    const { stage, all, until } = staged(engine({ detectMs: 40 }));
    stage.receive({ kind: 'measure', id: 1, cases: [caseOf(100_000)] });
    await until('progress', ({ done }) => done > 0);
    stage.receive(stop);
    stage.receive({ kind: 'measure', id: 2, cases: [caseOf(3)] });
    await until('finished', ({ id }) => id === 2);
    const ends = all('finished').map(({ id, cancelled }) => [id, cancelled]);
    assert.deepEqual(ends, [[1, true], [2, false]]);
    stage.close();
  }
});

test('a measurement that waits for another to end can be cancelled too, and a new scene does it', async () => {
  for (const stop of [{ kind: 'cancel', id: 2 }, { kind: 'start', ask: 1, parameters: SCENE, playing: false }]) {
    const { stage, all, until } = staged(engine({ detectMs: 40 }));
    stage.receive({ kind: 'measure', id: 1, cases: [caseOf(100_000)] });
    await until('progress', ({ done }) => done > 0);
    stage.receive({ kind: 'cancel', id: 1 });
    stage.receive({ kind: 'measure', id: 2, cases: [caseOf(3)] });
    stage.receive(stop);
    await until('finished', ({ id }) => id === 1);
    await new Promise(setImmediate);
    assert.deepEqual(all('finished').map(({ cancelled }) => cancelled), [true, true]);
    assert.equal(all('measured').length, 0);
    stage.close();
  }
});

test('a selection is told when it is made, when its world stops, and never if there is no such object', async () => {
  const { stage, all } = await started();
  const told = () => all('selected').map(({ selection }) => selection?.object ?? null);
  stage.receive({ kind: 'select-by', by: 1 });
  stage.receive({ kind: 'select-by', by: -1 });
  stage.receive({ kind: 'select', object: 99 });
  stage.receive({ kind: 'select', object: 1 });
  stage.receive({ kind: 'select-at', x: 5, y: 5 });
  stage.receive({ kind: 'select-at', x: 5, y: 5 });
  show();
  stage.receive({ kind: 'select', object: 1 });
  assert.deepEqual(told(), [0, 2, null, 1, null, 1]);
  assert.ok(all('selected').every(({ chosen }) => chosen));
  assert.equal(all('selected').at(-1).selection.cells, 1);
  stage.receive({ kind: 'step' });
  show();
  assert.equal(told().length, 7);
  assert.equal(all('selected').at(-1).chosen, false, 'news of it');
  stage.close();
});
