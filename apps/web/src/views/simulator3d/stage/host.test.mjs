import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { StageHost } from './host.ts';

/** Longer than anybody waits for a worker that does not hear. */
const DEAF_MS = 2000;
const SCENE = { preset: 'ramp', seed: 1 };

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ['setTimeout'] });
});

/** A host whose workers do only what the test says, and all that the page is told. */
function hosted() {
  const workers = [];
  const told = [];
  const raise = (where, hear, unable) => {
    const worker = { where, hear, unable, posted: [], closed: false };
    workers.push(worker);
    return { post: (message) => worker.posted.push(message), close: () => (worker.closed = true) };
  };
  const host = new StageHost(raise, 'worker', (said) => told.push(said));
  return { host, workers, told, latest: () => workers.at(-1), say: (said) => workers.at(-1).hear(said) };
}

/** One whose world was told in these words. */
function running() {
  const all = hosted();
  all.say({ kind: 'ready', catalogue: {} });
  all.host.send({ kind: 'theme', colours: 'dark' });
  all.host.send({ kind: 'open', ask: 1, scene: SCENE, playing: true });
  all.say({ kind: 'heard', ask: 1 });
  all.say({ kind: 'opened', ask: 1, world: { rules: { name: 'Ramp' } }, text: 'the ramp' });
  return all;
}

test('after a refused scene a crash brings back the world, not what was refused', () => {
  const { host, say, latest } = running();
  host.send({ kind: 'open', ask: 2, scene: { text: 'bad', name: 'bad' }, playing: true });
  say({ kind: 'heard', ask: 2 });
  say({ kind: 'refused', ask: 2, error: { code: 'scene.empty', message: 'it is bad', fields: {} } });
  say({ kind: 'failed', message: 'unreachable' });
  host.restart();
  assert.deepEqual(latest().posted, [
    { kind: 'theme', colours: 'dark' },
    { kind: 'open', ask: 0, scene: { text: 'the ramp', name: 'Ramp' }, playing: false },
  ]);
});

test('after a crash a preset is itself again, and one that somebody changed is its words', () => {
  const { host, say, latest } = hosted();
  const opens = () => {
    say({ kind: 'failed', message: 'unreachable' });
    host.restart();
    return latest().posted.at(-1).scene;
  };
  const rules = { name: 'Ramp' };
  say({ kind: 'ready', catalogue: {} });
  host.send({ kind: 'open', ask: 1, scene: SCENE, playing: true });
  say({ kind: 'opened', ask: 1, world: { rules, isAsOpened: true }, text: 'the ramp' });
  assert.deepEqual(opens(), SCENE);
  say({ kind: 'opened', ask: 0, world: { rules, isAsOpened: true }, text: 'the ramp' });
  assert.deepEqual(opens(), SCENE);
  say({ kind: 'opened', ask: 0, world: { rules, isAsOpened: true }, text: 'the ramp' });
  say({ kind: 'edited', ask: 2, world: { rules, isAsOpened: false } });
  say({ kind: 'words', text: 'the ramp and a ball' });
  const own = { text: 'the ramp and a ball', name: 'Ramp' };
  assert.deepEqual(opens(), own);
  // Nothing was done to it since, and yet it is no preset.
  say({ kind: 'opened', ask: 0, world: { rules, isAsOpened: true }, text: 'the ramp and a ball' });
  assert.deepEqual(opens(), own);
});

test('a deaf worker is replaced by one that opens what was asked for', () => {
  const { host, workers, latest } = running();
  host.send({ kind: 'open', ask: 2, scene: { text: 'other', name: 'other' }, playing: true });
  mock.timers.tick(DEAF_MS);
  assert.equal(workers.length, 2);
  assert.ok(workers[0].closed);
  assert.deepEqual(latest().posted.at(-1), { kind: 'open', ask: 2, scene: { text: 'other', name: 'other' }, playing: true });
});

test('a worker too deep in its work to hear Stop is replaced by the world as it was last told, at rest', () => {
  const { host, workers, say, latest } = running();
  say({ kind: 'world', world: { rules: { name: null } } });
  say({ kind: 'words', text: 'the ramp and a ball' });
  host.send({ kind: 'stop', ask: 3 });
  mock.timers.tick(DEAF_MS);
  assert.equal(workers.length, 2);
  assert.deepEqual(latest().posted.at(-1), { kind: 'open', ask: 0, scene: { text: 'the ramp and a ball', name: 'scene' }, playing: false });
});

test('one that hears is kept, however long it then takes', () => {
  const { host, workers, say } = running();
  host.send({ kind: 'stop', ask: 3 });
  say({ kind: 'heard', ask: 3 });
  mock.timers.tick(60_000);
  assert.equal(workers.length, 1);
});
