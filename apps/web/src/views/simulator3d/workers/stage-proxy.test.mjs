import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { StageProxy } from './stage-proxy.ts';

/** Longer than the limit for an unresponsive worker. */
const DEAF_MS = 2000;
const SCENE = { preset: 'ramp', seed: 1 };

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ['setTimeout'] });
});

/** A proxy whose workers do only what the test says, and all messages the page receives. */
function hosted() {
  const workers = [];
  const received = [];
  const launch = (where, receive, onLoadFailure) => {
    const worker = { where, receive, onLoadFailure, posted: [], closed: false };
    workers.push(worker);
    return { post: (message) => worker.posted.push(message), close: () => (worker.closed = true) };
  };
  const proxy = new StageProxy(launch, 'worker', (reply) => received.push(reply));
  return { proxy, workers, received, latest: () => workers.at(-1), post: (reply) => workers.at(-1).receive(reply) };
}

/** A proxy whose world was reported with this JSON. */
function running() {
  const all = hosted();
  all.post({ kind: 'ready', catalog: {} });
  all.proxy.send({ kind: 'theme', colors: 'dark' });
  all.proxy.send({ kind: 'open', requestId: 1, scene: SCENE, playing: true });
  all.post({ kind: 'acknowledged', requestId: 1 });
  all.post({ kind: 'opened', requestId: 1, world: { rules: { name: 'Ramp' } }, text: 'the ramp', preset: SCENE });
  return all;
}

test('a failure after a rejected scene restores the world, not the rejected scene', () => {
  const { proxy, post, latest } = running();
  proxy.send({ kind: 'open', requestId: 2, scene: { text: 'bad', name: 'bad' }, playing: true });
  post({ kind: 'acknowledged', requestId: 2 });
  post({ kind: 'refused', requestId: 2, error: { code: 'scene.empty', message: 'it is bad', fields: {} } });
  post({ kind: 'failed', message: 'unreachable' });
  proxy.restart();
  assert.deepEqual(latest().posted, [
    { kind: 'theme', colors: 'dark' },
    { kind: 'open', requestId: 0, scene: { text: 'the ramp', name: 'Ramp' }, playing: false },
  ]);
});

test('after a failure a preset is restored as such, and an edited one from its JSON', () => {
  const { proxy, post, latest } = hosted();
  const opens = () => {
    post({ kind: 'failed', message: 'unreachable' });
    proxy.restart();
    return latest().posted.at(-1).scene;
  };
  const rules = { name: 'Ramp' };
  post({ kind: 'ready', catalog: {} });
  proxy.send({ kind: 'open', requestId: 1, scene: SCENE, playing: true });
  post({ kind: 'opened', requestId: 1, world: { rules, isUnmodified: true }, text: 'the ramp', preset: SCENE });
  assert.deepEqual(opens(), SCENE);
  post({ kind: 'opened', requestId: 0, world: { rules, isUnmodified: true }, text: 'the ramp', preset: SCENE });
  assert.deepEqual(opens(), SCENE);
  post({ kind: 'opened', requestId: 0, world: { rules, isUnmodified: true }, text: 'the ramp', preset: SCENE });
  post({ kind: 'edited', requestId: 2, world: { rules, isUnmodified: false } });
  post({ kind: 'json', text: 'the ramp and a ball' });
  const own = { text: 'the ramp and a ball', name: 'Ramp' };
  assert.deepEqual(opens(), own);
  // Unedited since it was opened, yet not a preset.
  post({ kind: 'opened', requestId: 0, world: { rules, isUnmodified: true }, text: 'the ramp and a ball', preset: null });
  assert.deepEqual(opens(), own);
});

test('an unresponsive worker is replaced by one that opens the requested scene', () => {
  const { proxy, workers, latest } = running();
  proxy.send({ kind: 'open', requestId: 2, scene: { text: 'other', name: 'other' }, playing: true });
  mock.timers.tick(DEAF_MS);
  assert.equal(workers.length, 2);
  assert.ok(workers[0].closed);
  assert.deepEqual(latest().posted.at(-1), { kind: 'open', requestId: 2, scene: { text: 'other', name: 'other' }, playing: true });
});

test('a worker that does not respond to Stop is replaced, with the last reported world, paused', () => {
  const { proxy, workers, post, latest } = running();
  post({ kind: 'world', world: { rules: { name: null } } });
  post({ kind: 'json', text: 'the ramp and a ball' });
  proxy.send({ kind: 'stop', requestId: 3 });
  mock.timers.tick(DEAF_MS);
  assert.equal(workers.length, 2);
  assert.deepEqual(latest().posted.at(-1), { kind: 'open', requestId: 0, scene: { text: 'the ramp and a ball', name: 'scene' }, playing: false });
});

test('a worker that acknowledges is kept, however long the response takes', () => {
  const { proxy, workers, post } = running();
  proxy.send({ kind: 'stop', requestId: 3 });
  post({ kind: 'acknowledged', requestId: 3 });
  mock.timers.tick(60_000);
  assert.equal(workers.length, 1);
});
