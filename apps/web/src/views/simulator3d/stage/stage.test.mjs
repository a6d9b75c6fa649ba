import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';

import { Stage } from './stage.ts';

/** Longer than a picture. */
const PICTURE_MS = 50;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ['setTimeout'] });
});

/** A world without bodies; seeks take no time, or while it is slow, forever. */
class Simulator {
  at = 0;
  last = 0;
  seekTarget = undefined;
  isSlow = false;
  steps = 0;
  lettings = 0;
  stateHash = '0';
  version = 1;
  shapeVersion = 1;
  rowLengths = [12, 7, 6];
  undoable = 1;
  redoable = 0;
  isUnmodified = false;

  settings = () => JSON.stringify({ name: null, bounds: null, time_step: 1 / 60 });
  bodies = () => '[]';
  contacts = () => '[]';
  sceneJson = () => '{}';
  body = () => '{}';
  change = () => undefined;
  recording = () => {
    throw new Error(JSON.stringify({ code: 'recording.too-long', message: 'too many steps', fields: {} }));
  };
  stats = () => new Float64Array(21);
  updateRenderState = () => undefined;
  renderBodies = () => new Float32Array();
  renderAabbs = this.renderBodies;
  renderVelocities = this.renderBodies;
  renderContacts = this.renderBodies;
  renderJoints = this.renderBodies;
  renderHalfSpaces = this.renderBodies;
  takeImpacts = this.renderBodies;
  free = () => undefined;
  cancelSeek = () => (this.seekTarget = undefined);
  release = () => (this.lettings += 1);
  setSeekTarget = (step) => (this.seekTarget = step);

  fork(settings) {
    const fork = Object.assign(new Simulator(), { at: this.at, settings: () => settings });
    this.forks = [...(this.forks ?? []), fork];
    return fork;
  }

  positionDifference = () => new Float64Array([0.5, 0.25, 3]);

  undo() {
    this.seekTarget = this.at;
    return true;
  }

  step() {
    this.steps += 1;
    this.at += 1;
  }

  advanceSeek() {
    if (this.isSlow) return false;
    this.at = this.seekTarget ?? this.at;
    this.seekTarget = undefined;
    return true;
  }
}

/**
 * A stage that plays or is paused; the scene `slow` never finishes opening, and `bad` is rejected.
 */
async function staged(playing) {
  const sent = [];
  const worlds = [];
  const open = (text) => {
    if (text === 'bad') throw new Error('it is bad');
    const world = Object.assign(new Simulator(), { isSlow: text === 'slow' });
    worlds.push(world);
    return world;
  };
  const stage = new Stage((reply) => sent.push(reply), () => Promise.resolve({ catalog: () => '{}', lastPanic: () => '', open }));
  await new Promise(setImmediate);
  const opens = (requestId, text) => stage.receive({ kind: 'open', requestId, scene: { text, name: text }, playing });
  opens(1, 'scene');
  const last = (kind) => sent.findLast((reply) => reply.kind === kind);
  assert.equal(last('failed')?.message, undefined);
  return { stage, world: worlds[0], worlds, opens, last, sent };
}

test('a seek during an undo reports that playback has stopped', async () => {
  const { stage, world, last } = await staged(true);
  assert.equal(last('playing').playing, true);
  world.isSlow = true;
  stage.receive({ kind: 'edit', requestId: 2, edit: { do: 'undo' } });
  stage.receive({ kind: 'seek', step: 3 });
  assert.equal(last('playing').playing, false);
  world.isSlow = false;
  mock.timers.tick(PICTURE_MS);
  assert.deepEqual([world.at, last('failed')], [3, undefined]);
});

test('a scene rejected while another is opening leaves the world playing, and each is answered', async () => {
  const { world, opens, last } = await staged(true);
  opens(2, 'slow');
  const before = world.steps;
  opens(3, 'bad');
  assert.deepEqual([last('superseded').requestId, last('refused').requestId], [2, 3]);
  mock.timers.tick(PICTURE_MS);
  assert.ok(world.steps > before, 'it goes on');
});

test('a requested and dropped step is not counted by the next step back', async () => {
  const { stage, world } = await staged(false);
  world.at = 10;
  stage.receive({ kind: 'step' });
  stage.receive({ kind: 'edit', requestId: 2, edit: { do: 'undo' } });
  stage.receive({ kind: 'back' });
  mock.timers.tick(PICTURE_MS);
  assert.equal(world.at, 9);
});

test('a drag released during a seek is released at its end', async () => {
  const { stage, world } = await staged(false);
  world.isSlow = true;
  stage.receive({ kind: 'seek', step: 40 });
  stage.receive({ kind: 'release' });
  assert.equal(world.lettings, 0);
  world.isSlow = false;
  mock.timers.tick(PICTURE_MS);
  assert.deepEqual([world.at, world.lettings], [40, 1]);
});

/** The response used to name the selected body. */
test('an edit reports its body and selects none', async () => {
  const { stage, world, last } = await staged(false);
  world.bodies = () => JSON.stringify([{ key: 3, name: 'one' }, { key: 4, name: 'other' }]);
  world.version = 2;
  stage.receive({ kind: 'step' });
  mock.timers.tick(PICTURE_MS);
  stage.receive({ kind: 'select', key: 4 });
  stage.receive({ kind: 'edit', requestId: 2, edit: { do: 'change', key: 3, json: { mass: 2 } } });
  assert.deepEqual([last('failed'), last('edited').key, last('selected').key], [undefined, 3, 4]);
});

test('a recording that cannot be written is rejected, and the world stays', async () => {
  const { stage, last } = await staged(false);
  stage.receive({ kind: 'save', requestId: 7, what: 'recording' });
  assert.deepEqual([last('refused').requestId, last('refused').error.code, last('failed')], [7, 'recording.too-long', undefined]);
  stage.receive({ kind: 'save', requestId: 8, what: 'scene' });
  assert.equal(last('saved').requestId, 8);
});

test('a series is computed in slices, between which the world goes on', async () => {
  const { stage, world, last } = await staged(false);
  let slices = 0;
  let freed = 0;
  world.series = () => ({ advance: () => (slices += 1) === 3, csv: () => 'step,time', free: () => (freed += 1) });
  stage.receive({ kind: 'save', requestId: 7, what: 'series' });
  assert.deepEqual([slices, last('saved')], [1, undefined]);
  stage.receive({ kind: 'step' });
  mock.timers.tick(PICTURE_MS);
  assert.deepEqual([last('saved').requestId, last('saved').text, slices, freed], [7, 'step,time', 3, 1]);
  assert.ok(world.steps > 0);
});

/** The response to an edit used to wait until a thousand bodies were serialized. */
test('the response to an edit is one message, followed by the scene JSON', async () => {
  const { stage, world, sent } = await staged(false);
  world.change = () => (world.version += 1);
  const before = sent.length;
  stage.receive({ kind: 'edit', requestId: 2, edit: { do: 'change', key: 3, json: { mass: 2 } } });
  assert.deepEqual(sent.slice(before).map(({ kind }) => kind), ['edited', 'json']);
  assert.notEqual(sent[before].world, null);
});

test('while playing, a change of rules is answered without bodies and serialized once for all in a row; while paused, everything is sent at once', async () => {
  for (const plays of [true, false]) {
    const { stage, world, last, sent } = await staged(plays);
    world.changeSettings = () => (world.version += 1);
    const written = () => sent.filter(({ kind }) => kind === 'json').length;
    stage.receive({ kind: 'edit', requestId: 2, edit: { do: 'rules', json: {} } });
    stage.receive({ kind: 'edit', requestId: 3, edit: { do: 'rules', json: {} } });
    const { requestId, world: other, report } = last('edited');
    assert.deepEqual([requestId, other.bodies, report === null, written()], [3, null, plays, plays ? 0 : 2]);
    mock.timers.tick(200);
    assert.deepEqual([written(), last('failed')], [plays ? 1 : 2, undefined]);
  }
});

/** Bodies omitted from one response were missing in the next. */
test('changed bodies are sent again, and so are all of another world', async () => {
  const { stage, world, last } = await staged(false);
  const change = (bodies) => {
    world.changeSettings = () => (world.version += 1);
    world.bodies = () => JSON.stringify(bodies);
    stage.receive({ kind: 'edit', requestId: 2, edit: { do: 'rules', json: {} } });
    return last('edited').world.bodies;
  };
  assert.deepEqual([change([]), change([{ key: 1 }]), change([{ key: 1 }]), change([])], [null, [{ key: 1 }], null, []]);
});

/** The hash and energy from before an edit were shown with the picture after it. */
test('pausing before the next picture sends the report that an edit omitted', async () => {
  const { stage, world, last, sent } = await staged(true);
  mock.timers.tick(PICTURE_MS);
  world.changeSettings = () => (world.version += 1);
  stage.receive({ kind: 'edit', requestId: 2, edit: { do: 'rules', json: {} } });
  assert.equal(last('edited').report, null);
  const before = sent.length;
  stage.receive({ kind: 'pause' });
  assert.ok(sent.slice(before).some(({ kind }) => kind === 'report'), JSON.stringify(sent.slice(before).map(({ kind }) => kind)));
});

test('during a held key the scene is serialized at intervals, not only at the end', async () => {
  const { stage, world, sent } = await staged(true);
  world.changeSettings = () => (world.version += 1);
  for (let requestId = 2; requestId < 32; requestId += 1) {
    stage.receive({ kind: 'edit', requestId, edit: { do: 'rules', json: {} } });
    mock.timers.tick(33);
  }
  assert.ok(sent.filter(({ kind }) => kind === 'json').length >= 5);
});

test('undo after another scene was opened returns to the replaced world, with all of its bodies; redo leads back', async () => {
  const { stage, world, worlds, opens, last } = await staged(false);
  world.bodies = () => JSON.stringify([{ key: 3, name: 'one' }]);
  world.version = 2;
  stage.receive({ kind: 'edit', requestId: 2, edit: { do: 'change', key: 3, json: { mass: 2 } } });
  opens(3, 'other');
  const other = worlds.at(-1);
  Object.assign(other, { undoable: 0, undo: () => false, redo: () => false });
  Object.assign(world, { redo: () => false });
  const edit = (requestId, what) => stage.receive({ kind: 'edit', requestId, edit: { do: what } });
  edit(4, 'undo');
  const { requestId, again, world: state } = last('opened');
  assert.deepEqual([requestId, again, state.bodies, state.undoable, state.redoable], [4, 'undo', [{ key: 3, name: 'one' }], 1, 1]);
  edit(5, 'redo');
  assert.deepEqual([last('opened').requestId, last('opened').again, last('opened').world.undoable], [5, 'redo', 1]);
  edit(6, 'redo');
  assert.equal(last('unchanged').requestId, 6);
  // An edit drops what could be redone.
  edit(7, 'undo');
  stage.receive({ kind: 'edit', requestId: 8, edit: { do: 'change', key: 3, json: { mass: 3 } } });
  assert.equal(last('edited').requestId, 8);
  edit(9, 'redo');
  assert.deepEqual([last('unchanged').requestId, last('failed')], [9, undefined]);
});

const COMPARED = { kind: 'compare', settings: { solver: 'event-driven' } };

test('a compared world is stepped and sought with the first, and freed with the comparison', async () => {
  const { stage, world, last } = await staged(false);
  stage.receive({ kind: 'seek', step: 5 });
  mock.timers.tick(PICTURE_MS);
  stage.receive(COMPARED);
  const [other] = world.forks;
  assert.deepEqual([other.at, last('compared').error], [5, null]);
  for (let step = 0; step < 3; step += 1) stage.receive({ kind: 'step' });
  mock.timers.tick(PICTURE_MS);
  assert.deepEqual([world.at, other.at], [8, 8]);
  stage.receive({ kind: 'seek', step: 6 });
  mock.timers.tick(PICTURE_MS);
  const { comparison } = last('report').report;
  assert.deepEqual([world.at, other.at, comparison.from, comparison.max, comparison.key], [6, 6, 5, 0.5, 3]);
  let freed = 0;
  other.free = () => (freed += 1);
  stage.receive({ kind: 'compare', settings: null });
  mock.timers.tick(PICTURE_MS);
  assert.deepEqual([freed, last('report').report.comparison, last('failed')], [1, null, undefined]);
});

test('a comparison starts again after an edit, and after a seek to before its start; a throw reaches both worlds', async () => {
  const { stage, world, last } = await staged(false);
  world.at = 5;
  stage.receive(COMPARED);
  let thrown = 0;
  for (const each of [world, world.forks[0]]) each.throw = () => (thrown += 1) && 9;
  stage.receive({ kind: 'edit', requestId: 2, edit: { do: 'throw', name: 'ball', place: null } });
  assert.deepEqual([thrown, world.forks.length], [2, 1]);
  stage.receive({ kind: 'edit', requestId: 3, edit: { do: 'change', key: 3, json: { mass: 2 } } });
  assert.equal(world.forks.length, 2);
  // A fork does not go back beyond its start.
  world.forks[1].setSeekTarget = () => undefined;
  stage.receive({ kind: 'seek', step: 2 });
  mock.timers.tick(PICTURE_MS);
  assert.deepEqual([world.at, world.forks.length, world.forks[2].at, last('failed')], [2, 3, 2, undefined]);
});

test('the comparison goes on with the method in another scene, and a rejected method leaves the world', async () => {
  const { stage, worlds, opens, last } = await staged(false);
  stage.receive(COMPARED);
  opens(2, 'other');
  assert.equal(worlds[1].forks.length, 1);
  assert.equal(last('opened').report.comparison.from, 0);
  worlds[1].fork = () => {
    throw new Error(JSON.stringify({ code: 'scene.joints', message: 'no joints', fields: {} }));
  };
  stage.receive({ kind: 'compare', settings: { solver: 'baseline' } });
  assert.deepEqual([last('compared').error.code, last('failed')], ['scene.joints', undefined]);
  stage.receive({ kind: 'step' });
  mock.timers.tick(PICTURE_MS);
  assert.deepEqual([worlds[1].at, last('report').report.comparison], [1, null]);
});
