import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { StageProxy } from './stage-proxy.ts';

const SCENE = { width: 100, height: 100, objects: 1000, technique: 'auto', cellSize: 0, seed: 1 };
const OTHER = { ...SCENE, seed: 2 };
/** Longer than the limit for an unresponsive worker. */
const DEAF_MS = 2000;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ['setTimeout'] });
});

/** A proxy whose workers do only what the test says, and all messages the page receives. */
function hosted(thread = 'worker') {
  const workers = [];
  const received = [];
  const launch = (where, receive, onLoadFailure) => {
    const worker = { where, receive, onLoadFailure, posted: [], closed: false };
    workers.push(worker);
    return { post: (message) => worker.posted.push(message), close: () => (worker.closed = true) };
  };
  const proxy = new StageProxy(launch, thread, (reply) => received.push(reply));
  const latest = () => workers.at(-1);
  const post = (reply) => latest().receive(reply);
  return { proxy, workers, received, latest, post, kinds: () => received.map(({ kind }) => kind) };
}

/** A proxy whose scene runs, at this frame. */
function running({ frame = 0, thread = 'worker', scene = SCENE } = {}) {
  const all = hosted(thread);
  all.post({ kind: 'ready', catalog: {} });
  all.proxy.send({ kind: 'theme', colors: 'dark' });
  all.proxy.send({ kind: 'overlays', overlays: 'cells' });
  all.proxy.send({ kind: 'start', requestId: 1, parameters: scene, playing: true });
  all.post({ kind: 'acknowledged', requestId: 1 });
  all.post({ kind: 'started', requestId: 1, parameters: scene });
  all.post({ kind: 'frame', report: { frame } });
  all.received.length = 0;
  return all;
}

test('a worker that acknowledges is kept, however long the response takes', () => {
  const { proxy, workers, post } = running();
  proxy.send({ kind: 'start', requestId: 2, parameters: OTHER, playing: true });
  post({ kind: 'acknowledged', requestId: 2 });
  mock.timers.tick(60_000);
  assert.equal(workers.length, 1);
});

test('a worker that is still loading is not unresponsive', () => {
  const { proxy, workers } = hosted();
  proxy.send({ kind: 'start', requestId: 1, parameters: SCENE, playing: true });
  mock.timers.tick(60_000);
  assert.equal(workers.length, 1);
});

test('an unresponsive worker is replaced by one with the same state and request', () => {
  const { proxy, workers, latest, post } = running({ frame: 40 });
  post({ kind: 'selected', selection: { object: 7, kept: true }, chosen: true });
  proxy.send({ kind: 'start', requestId: 2, parameters: OTHER, playing: false });
  mock.timers.tick(DEAF_MS);
  assert.equal(workers.length, 2);
  assert.ok(workers[0].closed);
  assert.deepEqual(latest().posted, [
    { kind: 'theme', colors: 'dark' },
    { kind: 'overlays', overlays: 'cells' },
    { kind: 'start', requestId: 2, parameters: OTHER, playing: false, selected: 7 },
  ]);
});

test('acknowledging an older request does not acknowledge the last', () => {
  const { proxy, workers, post } = running();
  proxy.send({ kind: 'start', requestId: 2, parameters: OTHER, playing: true });
  proxy.send({ kind: 'start', requestId: 3, parameters: SCENE, playing: true });
  post({ kind: 'acknowledged', requestId: 2 });
  mock.timers.tick(DEAF_MS);
  assert.equal(workers.length, 2);
  assert.equal(workers[1].posted.at(-1).requestId, 3);
});

test('a technique requested from an unresponsive worker applies to the world at its frame', () => {
  const { proxy, latest } = running({ frame: 40 });
  proxy.send({ kind: 'change', requestId: 2, technique: 'tree', cellSize: 0 });
  mock.timers.tick(DEAF_MS);
  const parameters = { ...SCENE, technique: 'tree' };
  assert.deepEqual(latest().posted.at(-1), { kind: 'start', requestId: 2, parameters, playing: true, selected: null, frame: 40 });
});

test('a world that is too far on restarts from frame 0, and the page is notified', () => {
  const { proxy, latest, kinds } = running({ frame: 216_000 });
  proxy.send({ kind: 'change', requestId: 2, technique: 'tree', cellSize: 0 });
  mock.timers.tick(DEAF_MS);
  assert.equal(latest().posted.at(-1).frame, 0);
  assert.deepEqual(kinds(), ['restarted']);
});

test('a scene rejected by a replacement worker leaves the previous one running at its frame', () => {
  const { proxy, latest, post, kinds } = running({ frame: 40 });
  proxy.send({ kind: 'start', requestId: 2, parameters: { ...SCENE, objects: 0 }, playing: true });
  mock.timers.tick(DEAF_MS);
  post({ kind: 'refused', requestId: 2, problems: [] });
  const takenUp = latest().posted.at(-1);
  assert.deepEqual([takenUp.kind, takenUp.parameters, takenUp.frame], ['start', SCENE, 40]);
  assert.ok(takenUp.requestId < 1, 'distinct from request numbers of the page');
  assert.deepEqual(kinds(), ['refused']);
});

test('a replacement worker that rejects one request gets the next one, and not the previous scene', () => {
  const { proxy, latest, post } = running();
  proxy.send({ kind: 'start', requestId: 2, parameters: { ...SCENE, objects: 0 }, playing: true });
  mock.timers.tick(DEAF_MS);
  proxy.send({ kind: 'change', requestId: 3, technique: 'tree', cellSize: 0 });
  post({ kind: 'refused', requestId: 2, problems: [] });
  assert.deepEqual(
    latest().posted.filter(({ kind }) => kind === 'start' || kind === 'change').map(({ kind, requestId }) => [kind, requestId]),
    [['start', 2], ['start', 3]],
    'a worker without a world cannot change its technique',
  );
});

test('a request rejected by a worker with a scene changes nothing', () => {
  const { proxy, workers, post } = running();
  proxy.send({ kind: 'start', requestId: 2, parameters: { ...SCENE, objects: 0 }, playing: true });
  post({ kind: 'acknowledged', requestId: 2 });
  post({ kind: 'refused', requestId: 2, problems: [] });
  assert.equal(workers.length, 1);
  assert.equal(workers[0].posted.at(-1).requestId, 2);
});

test('a failure is reported once, and a restart restores the last accepted scene', () => {
  const { proxy, latest, workers, post, kinds } = running({ frame: 40 });
  proxy.send({ kind: 'start', requestId: 2, parameters: OTHER, playing: true });
  post({ kind: 'failed', message: 'unreachable' });
  post({ kind: 'failed', message: 'again' });
  post({ kind: 'frame', report: { frame: 41 } });
  mock.timers.tick(DEAF_MS);
  assert.deepEqual(kinds(), ['failed']);
  assert.equal(workers.length, 1, 'it waits for the user');
  proxy.restart();
  const { parameters, frame, playing } = latest().posted.at(-1);
  assert.deepEqual([parameters, frame, playing], [SCENE, 0, true]);
});

test('after a failure another scene or technique restarts the stage too', () => {
  for (const pendingRequest of [
    { kind: 'start', requestId: 2, parameters: OTHER, playing: true },
    { kind: 'change', requestId: 2, technique: 'tree', cellSize: 0 },
  ]) {
    const { proxy, workers, post } = running();
    post({ kind: 'failed', message: 'unreachable' });
    proxy.send(pendingRequest);
    assert.equal(workers.length, 2);
    assert.equal(workers[1].posted.at(-1).requestId, 2);
    assert.ok(!proxy.needsReload);
  }
});

test('an engine on the main thread cannot be restarted after a failure', () => {
  const { proxy, post } = running({ thread: 'page' });
  assert.ok(!proxy.needsReload);
  post({ kind: 'failed', message: 'unreachable' });
  assert.ok(proxy.needsReload);
});

test('on the main thread there is no limit for a response', () => {
  const { proxy, workers } = running({ thread: 'page' });
  proxy.send({ kind: 'start', requestId: 2, parameters: OTHER, playing: true });
  mock.timers.tick(DEAF_MS);
  assert.equal(workers.length, 1);
});

test('a worker that failed to load is replaced by the main thread, and no request is lost', () => {
  const { proxy, latest } = hosted();
  proxy.send({ kind: 'theme', colors: 'dark' });
  proxy.send({ kind: 'start', requestId: 1, parameters: SCENE, playing: true, selected: 3 });
  latest().onLoadFailure();
  assert.equal(latest().where, 'page');
  assert.deepEqual(latest().posted, [
    { kind: 'theme', colors: 'dark' },
    { kind: 'start', requestId: 1, parameters: SCENE, playing: true, selected: 3 },
  ]);
});

test('a cancel is confirmed while the worker finishes a long frame, and only once', () => {
  const { proxy, post, received, kinds } = running();
  proxy.send({ kind: 'measure', id: 1, cases: [] });
  proxy.send({ kind: 'cancel', id: 1 });
  mock.timers.tick(100);
  assert.deepEqual(received, [{ kind: 'finished', id: 1, cancelled: true }]);
  proxy.send({ kind: 'measure', id: 2, cases: [] });
  post({ kind: 'measured', id: 1, row: {} });
  post({ kind: 'finished', id: 1, cancelled: true });
  post({ kind: 'measured', id: 2, row: {} });
  assert.deepEqual(kinds(), ['finished', 'measured']);
  assert.equal(received[1].id, 2);
});

test('a cancel that the worker confirms at once is reported once', () => {
  const { proxy, post, kinds } = running();
  proxy.send({ kind: 'measure', id: 1, cases: [] });
  proxy.send({ kind: 'cancel', id: 1 });
  post({ kind: 'finished', id: 1, cancelled: true });
  mock.timers.tick(100);
  assert.deepEqual(kinds(), ['finished']);
});

test('the measurement of a replaced worker has ended', () => {
  const { proxy, received } = running();
  proxy.send({ kind: 'measure', id: 1, cases: [] });
  proxy.send({ kind: 'start', requestId: 2, parameters: OTHER, playing: true });
  mock.timers.tick(DEAF_MS);
  assert.deepEqual(received, [{ kind: 'finished', id: 1, cancelled: true }]);
});

test('a deselected object is not selected again by a replacement worker', () => {
  const { proxy, latest, post } = running();
  post({ kind: 'selected', selection: { object: 7, kept: true }, chosen: true });
  post({ kind: 'selected', selection: { object: 8, kept: false }, chosen: false });
  post({ kind: 'failed', message: 'unreachable' });
  proxy.restart();
  assert.equal(latest().posted.at(-1).selected, null, 'what the pointer rests on is found by pointing');
});
