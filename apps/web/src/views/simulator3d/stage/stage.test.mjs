import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';

import { Stage } from './stage.ts';

/** More than a picture takes. */
const PICTURE_MS = 50;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ['setTimeout'] });
});

/** A world without bodies, which is where it goes at once, or, while it is slow, never. */
class Simulator {
  at = 0;
  last = 0;
  goal = undefined;
  isSlow = false;
  steps = 0;
  lettings = 0;
  hash = '0';
  version = 1;
  shapeVersion = 1;
  rowLengths = [12, 7, 6];
  undoable = 1;
  redoable = 0;
  isAsOpened = false;

  rules = () => JSON.stringify({ name: null, bounds: null, time_step: 1 / 60 });
  bodies = () => '[]';
  contacts = () => '[]';
  words = () => '{}';
  body = () => '{}';
  change = () => undefined;
  recording = () => {
    throw new Error(JSON.stringify({ code: 'recording.too-long', message: 'too many steps', fields: {} }));
  };
  figures = () => new Float64Array(21);
  look = () => undefined;
  lookBodies = () => new Float32Array();
  lookBoxes = this.lookBodies;
  lookMotions = this.lookBodies;
  lookContacts = this.lookBodies;
  lookJoints = this.lookBodies;
  lookGrounds = this.lookBodies;
  strikes = this.lookBodies;
  free = () => undefined;
  stay = () => (this.goal = undefined);
  letGo = () => (this.lettings += 1);
  headFor = (step) => (this.goal = step);

  undo() {
    this.goal = this.at;
    return true;
  }

  step() {
    this.steps += 1;
    this.at += 1;
  }

  approach() {
    if (this.isSlow) return false;
    this.at = this.goal ?? this.at;
    this.goal = undefined;
    return true;
  }
}

/** A stage on which a world plays, or stands; the text `slow` opens for ever, and `bad` is refused. */
async function staged(playing) {
  const told = [];
  const worlds = [];
  const open = (text) => {
    if (text === 'bad') throw new Error('it is bad');
    const world = Object.assign(new Simulator(), { isSlow: text === 'slow' });
    worlds.push(world);
    return world;
  };
  const stage = new Stage((said) => told.push(said), () => Promise.resolve({ catalogue: () => '{}', lastPanic: () => '', open }));
  await new Promise(setImmediate);
  const opens = (ask, text) => stage.receive({ kind: 'open', ask, scene: { text, name: text }, playing });
  opens(1, 'scene');
  const last = (kind) => told.findLast((said) => said.kind === kind);
  assert.equal(last('failed')?.message, undefined);
  return { stage, world: worlds[0], opens, last, told };
}

test('who goes elsewhere while a change is taken back is told that it plays no longer', async () => {
  const { stage, world, last } = await staged(true);
  assert.equal(last('playing').playing, true);
  world.isSlow = true;
  stage.receive({ kind: 'edit', ask: 2, edit: { do: 'undo' } });
  stage.receive({ kind: 'seek', step: 3 });
  assert.equal(last('playing').playing, false);
  world.isSlow = false;
  mock.timers.tick(PICTURE_MS);
  assert.deepEqual([world.at, last('failed')], [3, undefined]);
});

test('a scene that is refused while another is being opened leaves the world playing, and each is answered', async () => {
  const { world, opens, last } = await staged(true);
  opens(2, 'slow');
  const before = world.steps;
  opens(3, 'bad');
  assert.deepEqual([last('overtaken').ask, last('refused').ask], [2, 3]);
  mock.timers.tick(PICTURE_MS);
  assert.ok(world.steps > before, 'it goes on');
});

test('a step that was asked for and dropped is not counted by the next one back', async () => {
  const { stage, world } = await staged(false);
  world.at = 10;
  stage.receive({ kind: 'step' });
  stage.receive({ kind: 'edit', ask: 2, edit: { do: 'undo' } });
  stage.receive({ kind: 'back' });
  mock.timers.tick(PICTURE_MS);
  assert.equal(world.at, 9);
});

test('a hand that lets go on the way lets go where the way ends', async () => {
  const { stage, world } = await staged(false);
  world.isSlow = true;
  stage.receive({ kind: 'seek', step: 40 });
  stage.receive({ kind: 'let-go' });
  assert.equal(world.lettings, 0);
  world.isSlow = false;
  mock.timers.tick(PICTURE_MS);
  assert.deepEqual([world.at, world.lettings], [40, 1]);
});

/** The one that was selected was said to have changed. */
test('a change names the body that it is of, and selects nobody', async () => {
  const { stage, world, last } = await staged(false);
  world.bodies = () => JSON.stringify([{ key: 3, name: 'one' }, { key: 4, name: 'other' }]);
  world.version = 2;
  stage.receive({ kind: 'step' });
  mock.timers.tick(PICTURE_MS);
  stage.receive({ kind: 'select', key: 4 });
  stage.receive({ kind: 'edit', ask: 2, edit: { do: 'change', key: 3, words: { mass: 2 } } });
  assert.deepEqual([last('failed'), last('edited').key, last('selected').key], [undefined, 3, 4]);
});

test('a recording that cannot be written is refused, and the world stays', async () => {
  const { stage, last } = await staged(false);
  stage.receive({ kind: 'save', ask: 7, what: 'recording' });
  assert.deepEqual([last('refused').ask, last('refused').error.code, last('failed')], [7, 'recording.too-long', undefined]);
  stage.receive({ kind: 'save', ask: 8, what: 'scene' });
  assert.equal(last('saved').ask, 8);
});

/** What is written of a thousand bodies was waited for by whoever had changed one of them. */
test('what a change made is told in one message, and the words of the scene after it', async () => {
  const { stage, world, told } = await staged(false);
  world.change = () => (world.version += 1);
  const before = told.length;
  stage.receive({ kind: 'edit', ask: 2, edit: { do: 'change', key: 3, words: { mass: 2 } } });
  assert.deepEqual(told.slice(before).map(({ kind }) => kind), ['edited', 'words']);
  assert.notEqual(told[before].world, null);
});

test('what plays answers a change of its rules by them alone, and is written once for all that came in a row; what stands tells all at once', async () => {
  for (const plays of [true, false]) {
    const { stage, world, last, told } = await staged(plays);
    world.changeRules = () => (world.version += 1);
    const written = () => told.filter(({ kind }) => kind === 'words').length;
    stage.receive({ kind: 'edit', ask: 2, edit: { do: 'rules', words: {} } });
    stage.receive({ kind: 'edit', ask: 3, edit: { do: 'rules', words: {} } });
    const { ask, world: other, report } = last('edited');
    assert.deepEqual([ask, other.bodies, report === null, written()], [3, null, plays, plays ? 0 : 2]);
    mock.timers.tick(200);
    assert.deepEqual([written(), last('failed')], [plays ? 1 : 2, undefined]);
  }
});

/** Bodies that were left out of an answer were missed by the next. */
test('bodies that became others are told again, and so are all of another world', async () => {
  const { stage, world, last } = await staged(false);
  const change = (bodies) => {
    world.changeRules = () => (world.version += 1);
    world.bodies = () => JSON.stringify(bodies);
    stage.receive({ kind: 'edit', ask: 2, edit: { do: 'rules', words: {} } });
    return last('edited').world.bodies;
  };
  assert.deepEqual([change([]), change([{ key: 1 }]), change([{ key: 1 }]), change([])], [null, [{ key: 1 }], null, []]);
});

/** Hash and energy from before the change stood beside the picture after it. */
test('what is paused before its next picture tells the numbers that a change left out', async () => {
  const { stage, world, last, told } = await staged(true);
  mock.timers.tick(PICTURE_MS);
  world.changeRules = () => (world.version += 1);
  stage.receive({ kind: 'edit', ask: 2, edit: { do: 'rules', words: {} } });
  assert.equal(last('edited').report, null);
  const before = told.length;
  stage.receive({ kind: 'pause' });
  assert.ok(told.slice(before).some(({ kind }) => kind === 'report'), JSON.stringify(told.slice(before).map(({ kind }) => kind)));
});

test('a key that is held is written now and then, not only when it is let go', async () => {
  const { stage, world, told } = await staged(true);
  world.changeRules = () => (world.version += 1);
  for (let ask = 2; ask < 32; ask += 1) {
    stage.receive({ kind: 'edit', ask, edit: { do: 'rules', words: {} } });
    mock.timers.tick(33);
  }
  assert.ok(told.filter(({ kind }) => kind === 'words').length >= 5);
});
