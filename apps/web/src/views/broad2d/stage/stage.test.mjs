import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { Stage } from './stage.ts';

/** A fake display: frames are presented when the test calls `show`. */
let frameCallbacks = [];
let time = 0;
globalThis.requestAnimationFrame = (call) => frameCallbacks.push(call);

beforeEach(() => {
  frameCallbacks = [];
  time = performance.now();
});

/** Enough pictures for every report to be due. */
function show(pictures = 12) {
  for (let picture = 0; picture < pictures; picture += 1) {
    time += 1000 / 60;
    for (const call of frameCallbacks.splice(0)) call(time);
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

/** An engine that only counts frames; rejects 0 objects and traps where a test requests it. */
function engine({ trapAt = Infinity, detectMs = 0, panicMessage = '' } = {}) {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const alive = { worlds: 0, frames: 0 };
  class Run {
    frame = 0;
    missed = 0;
    touching = 0;
    bytes = 64;
    cellsLength = 0;
    impactsLength = 0;
    totalTests = 0;
    totalPairs = 0;
    totalMissed = 0;
    totalReferences = 0;
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
      this.totalTests += this.tests;
      this.totalPairs += this.pairs;
      // Each frame returns views of another buffer.
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
    sweep() {
      return new Float64Array();
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
    impactsPointer = () => 16;
  }
  return { catalog: () => '{"techniques":[]}', lastPanic: () => panicMessage, Run, memory, alive };
}

/** A stage without a canvas, and all messages it sends. */
function staged(made = engine()) {
  const sent = [];
  let received = () => undefined;
  const stage = new Stage(
    (message) => {
      sent.push(message);
      received();
    },
    async () => made,
  );
  const kinds = () => sent.map(({ kind }) => kind).filter((kind) => kind !== 'acknowledged');
  const all = (kind) => sent.filter((message) => message.kind === kind);
  /** Waits without a limit; the runner ends a test whose message never arrives. */
  const until = (kind, fits = () => true) =>
    new Promise((resolve) => {
      received = () => {
        const found = sent.findLast((message) => message.kind === kind && fits(message));
        if (found !== undefined) resolve(found);
      };
      received();
    });
  return { stage, sent, kinds, all, until, made };
}

/** A stage with a scene, paused unless `playing`. */
async function started(made = engine(), playing = false) {
  const all = staged(made);
  all.stage.receive({ kind: 'start', requestId: 1, parameters: SCENE, playing });
  await all.until('frame');
  return all;
}

const caseOf = (frames, parameters = SCENE) => ({ parameters, frames });

test('messages are queued until the engine is loaded', async () => {
  const { stage, kinds, until } = staged();
  stage.receive({ kind: 'start', requestId: 1, parameters: SCENE, playing: false });
  assert.deepEqual(kinds(), []);
  await until('frame');
  assert.deepEqual(kinds(), ['ready', 'started', 'playing', 'frame']);
  stage.close();
});

test('an engine that cannot be loaded is reported', async () => {
  const sent = await new Promise((resolve) => new Stage(resolve, () => Promise.reject(new Error('no such file'))));
  assert.deepEqual(sent, { kind: 'failed', message: 'Error: no such file' });
});

test('a rejected scene leaves the previous one running', async () => {
  const { stage, all } = await started(engine(), true);
  stage.receive({ kind: 'start', requestId: 2, parameters: { ...SCENE, objects: 0 }, playing: false });
  stage.receive({ kind: 'change', requestId: 3, technique: 'none', cellSize: 0 });
  assert.deepEqual(
    all('refused').map(({ problems }) => problems[0].field),
    ['objects', 'technique'],
  );
  show();
  assert.ok(all('frame').at(-1).report.frame > 0);
  stage.close();
});

test('a trap is reported once, and nothing after it', async () => {
  const { stage, kinds, all } = await started(engine({ trapAt: 3 }), true);
  show();
  assert.match(all('failed')[0].message, /unreachable/);
  const after = kinds().length;
  for (const kind of ['play', 'pause', 'fit', 'advise']) stage.receive({ kind });
  stage.receive({ kind: 'start', requestId: 2, parameters: SCENE, playing: true });
  show();
  assert.equal(kinds().length, after);
  assert.equal(all('failed').length, 1);
});

test('the message of a panic is reported instead of the trap', async () => {
  const panicMessage = 'index out of bounds: the len is 3 but the index is 7 (crates/viewer/src/broad_phase_viewer/viewer_run.rs, line 9)';
  const { all } = await started(engine({ trapAt: 3, panicMessage }), true);
  show();
  assert.equal(all('failed')[0].message, panicMessage);
});

test('a response carries the request’s number, also for a rejected world', async () => {
  const { stage, sent } = await started();
  stage.receive({ kind: 'change', requestId: 2, technique: 'tree', cellSize: 0 });
  stage.receive({ kind: 'change', requestId: 3, technique: 'none', cellSize: 0 });
  stage.receive({ kind: 'start', requestId: 4, parameters: { ...SCENE, objects: 0 }, playing: false });
  const answers = sent.filter(({ requestId }) => requestId !== undefined).map(({ kind, requestId }) => [kind, requestId]);
  assert.deepEqual(answers, [
    ['acknowledged', 1], ['started', 1], ['acknowledged', 2], ['changed', 2], ['acknowledged', 3], ['refused', 3], ['acknowledged', 4], ['refused', 4],
  ]);
  stage.close();
});

test('a smaller world without the selected object reports that none is selected', async () => {
  const { stage, all } = await started();
  stage.receive({ kind: 'select', object: 2 });
  assert.equal(all('selected').at(-1).selection.object, 2);
  stage.receive({ kind: 'start', requestId: 2, parameters: { ...SCENE, objects: 2 }, playing: false });
  assert.equal(all('selected').at(-1).selection, null);
  stage.close();
});

test('a resumed scene restores its selection, without reporting a user’s choice', async () => {
  const { stage, all, until } = staged();
  stage.receive({ kind: 'start', requestId: 0, parameters: SCENE, playing: false, selected: 2, frame: 30 });
  const { selection, chosen } = await until('selected');
  assert.deepEqual([selection.object, selection.kept, chosen], [2, true, false]);
  assert.equal(all('frame').at(-1).report.frame, 30);
  stage.receive({ kind: 'start', requestId: 1, parameters: SCENE, playing: false, selected: 99 });
  assert.equal(all('selected').at(-1).selection, null);
  stage.receive({ kind: 'select', object: 1 });
  stage.receive({ kind: 'start', requestId: 2, parameters: SCENE, playing: false, selected: null });
  assert.equal(all('selected').at(-1).selection, null, 'a link without a selection clears it');
  stage.close();
});

test('a hovered object is released when the pointer leaves, a clicked one stays selected', async () => {
  const made = engine();
  made.Run.prototype.objectAt = (x) => (x < 50 ? 1 : -1);
  const { stage, all } = await started(made);
  const reports = (message) => {
    stage.receive(message);
    show();
    const { selection, chosen } = all('selected').at(-1);
    return [selection?.object ?? null, selection?.kept ?? false, chosen];
  };
  assert.deepEqual(reports({ kind: 'point-at', place: { x: 0, y: 0 } }), [1, false, false]);
  assert.deepEqual(reports({ kind: 'point-at', place: null }), [null, false, false]);
  stage.receive({ kind: 'select-at', x: 0, y: 0, reach: 10 });
  // Before the click was resolved.
  assert.deepEqual(reports({ kind: 'point-at', place: null }), [1, true, true]);
  assert.deepEqual(reports({ kind: 'point-at', place: { x: 1e6, y: 0 } }).slice(0, 2), [1, true]);
  assert.deepEqual(reports({ kind: 'select-at', x: 1e6, y: 0, reach: 10 }), [null, false, true]);
  stage.close();
});

test('a finger reaches farther than a mouse, and hovering as far as a mouse', async () => {
  const made = engine();
  const reaches = [];
  made.Run.prototype.objectAt = (_x, _y, reach) => {
    reaches.push(reach);
    return -1;
  };
  const { stage } = await started(made);
  for (const message of [{ kind: 'select-at', x: 0, y: 0, reach: 24 }, { kind: 'select-at', x: 0, y: 0, reach: 10 }, { kind: 'point-at', place: { x: 0, y: 0 } }]) {
    stage.receive(message);
    show();
  }
  const [finger, mouse, hover] = reaches;
  assert.ok(Math.abs(finger / mouse - 2.4) < 1e-9, `${reaches}`);
  assert.equal(hover, mouse);
  stage.close();
});

test('the visible state is reported on change, and for every new scene', async () => {
  const { stage, all } = await started();
  const reports = (message) => {
    const before = all('seen').length;
    if (message !== undefined) stage.receive(message);
    show();
    return all('seen').slice(before).map(({ seen }) => [seen.empty, seen.whole]);
  };
  assert.deepEqual(reports(), [[false, true]]);
  assert.deepEqual(reports({ kind: 'zoom', factor: 1000, x: 0.9, y: 0.9 }), [[true, false]]);
  assert.deepEqual(reports({ kind: 'zoom', factor: 1.1, x: 0.9, y: 0.9 }), []);
  assert.deepEqual(reports({ kind: 'zoom', factor: 1e-9, x: 0.9, y: 0.9 }), [[false, true]], 'zoomed out completely');
  assert.deepEqual(reports({ kind: 'zoom', factor: 1e-9, x: 0.9, y: 0.9 }), []);
  reports({ kind: 'zoom', factor: 1000, x: 0.9, y: 0.9 });
  const larger = { ...SCENE, width: 300 };
  assert.deepEqual(reports({ kind: 'start', requestId: 2, parameters: larger, playing: false }), [[false, true]], 'the whole world is visible');
  assert.deepEqual(reports({ kind: 'start', requestId: 3, parameters: larger, playing: false }), [[false, true]]);
  stage.close();
});

test('a trap during a measurement is reported', async () => {
  const { stage, until } = staged(engine({ trapAt: 3 }));
  stage.receive({ kind: 'measure', id: 1, cases: [caseOf(9)] });
  assert.match((await until('failed')).message, /unreachable/);
});

test('steps simulate their frames, report the last one as the requested one, and are summed', async () => {
  const { stage, all } = await started();
  for (let step = 0; step < 20; step += 1) stage.receive({ kind: 'step' });
  show();
  const { report } = all('frame').at(-1);
  assert.deepEqual([report.frame, report.sums.frames, report.sums.tests], [20, 20, 140]);
  assert.deepEqual(all('frame').map((sent) => sent.report.stepped), [false, true]);
  stage.close();
});

test('a step during playback pauses, and only the requested frame is reported as such', async () => {
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

test('a measurement reports one row per case, skips rejected ones, and frees its worlds', async () => {
  const { stage, all, until, made } = await started(engine(), true);
  const cases = [SCENE, { ...SCENE, objects: 0 }, { ...SCENE, seed: 2 }].map((parameters) => caseOf(10, parameters));
  stage.receive({ kind: 'measure', id: 4, cases });
  assert.equal((await until('finished')).cancelled, false);
  const [{ row }, ...more] = all('measured');
  assert.deepEqual([row.testsPerFrame, row.frames, more.length], [7, 10, 1]);
  assert.ok(row.fps > 0);
  assert.equal(all('not-measured').length, 1);
  // Messages sent right after the last one of a measurement.
  await new Promise(setImmediate);
  assert.equal(made.alive.worlds, 1);
  const before = all('frame').length;
  show();
  assert.ok(all('frame').length > before, 'the scene goes on');
  stage.close();
  assert.equal(made.alive.worlds, 0);
});

test('each technique runs a small unmeasured world before its first case, which is measured from its first frame', async () => {
  const made = engine();
  const { Run } = made;
  const built = [];
  made.Run = class extends Run {
    constructor(json) {
      super(json);
      const { technique, objects } = JSON.parse(json);
      built.push(`${technique} ${objects}`);
    }
  };
  const { stage, all, until } = await started(made);
  built.length = 0;
  const cases = [['auto', 5000], ['auto', 20], ['tree', 20]].map(([technique, objects]) => caseOf(10, { ...SCENE, technique, objects }));
  stage.receive({ kind: 'measure', id: 4, cases });
  await until('finished');
  assert.deepEqual(built, ['auto 1000', 'auto 5000', 'auto 20', 'tree 20', 'tree 20']);
  assert.deepEqual(all('measured').map(({ row }) => [row.frames, row.testsPerFrame]), [[10, 7], [10, 7], [10, 7]]);
  // The last report may precede the end; no report counts the frames of the warm-up.
  assert.ok(all('progress').every(({ done, of }) => of === 30 && done <= 30));
  await new Promise(setImmediate);
  assert.equal(made.alive.worlds, 1);
  stage.close();
});

test('a measurement reports the remaining time of its case after a frame', async () => {
  const { stage, until } = staged(engine({ detectMs: 40 }));
  stage.receive({ kind: 'measure', id: 4, cases: [caseOf(1000), caseOf(1000)] });
  const { leftMs, done } = await until('progress', (sent) => sent.leftMs !== null);
  assert.ok(leftMs >= (1000 - done) * 40, `${leftMs} ms after ${done} frames`);
  stage.close();
});

test('a cancel takes effect within a frame, and a new scene cancels too', async () => {
  for (const stop of [{ kind: 'cancel', id: 4 }, { kind: 'start', requestId: 1, parameters: SCENE, playing: false }]) {
    // A frame takes longer than the interval at which messages are processed.
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

test('a measurement requested while a canceled one finishes its frame is made', async () => {
  for (const stop of [{ kind: 'cancel', id: 1 }, { kind: 'start', requestId: 1, parameters: SCENE, playing: false }]) {
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

test('a queued measurement can be canceled too, also by a new scene', async () => {
  for (const stop of [{ kind: 'cancel', id: 2 }, { kind: 'start', requestId: 1, parameters: SCENE, playing: false }]) {
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

test('a selection is reported when it is made and when its world pauses, and never for a missing object', async () => {
  const { stage, all } = await started();
  const reports = () => all('selected').map(({ selection }) => selection?.object ?? null);
  stage.receive({ kind: 'select-by', by: 1 });
  stage.receive({ kind: 'select-by', by: -1 });
  stage.receive({ kind: 'select', object: 99 });
  stage.receive({ kind: 'select', object: 1 });
  stage.receive({ kind: 'select-at', x: 5, y: 5, reach: 10 });
  stage.receive({ kind: 'select-at', x: 5, y: 5, reach: 24 });
  show();
  stage.receive({ kind: 'select', object: 1 });
  assert.deepEqual(reports(), [0, 2, null, 1, null, 1]);
  assert.ok(all('selected').every(({ chosen }) => chosen));
  assert.equal(all('selected').at(-1).selection.cells, 1);
  stage.receive({ kind: 'step' });
  show();
  assert.equal(reports().length, 7);
  assert.equal(all('selected').at(-1).chosen, false, 'an update');
  stage.close();
});
