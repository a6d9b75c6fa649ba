import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { StageHost } from './host.ts';

const SCENE = { width: 100, height: 100, objects: 1000, technique: 'auto', cellSize: 0, seed: 1 };
const OTHER = { ...SCENE, seed: 2 };
/** Longer than anybody waits for a worker that does not hear. */
const DEAF_MS = 2000;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ['setTimeout'] });
});

/** A host whose workers do only what the test says, and all that the page is told. */
function hosted(thread = 'worker') {
  const workers = [];
  const told = [];
  const raise = (where, hear, unable) => {
    const worker = { where, hear, unable, posted: [], closed: false };
    workers.push(worker);
    return { post: (message) => worker.posted.push(message), close: () => (worker.closed = true) };
  };
  const host = new StageHost(raise, thread, (said) => told.push(said));
  const latest = () => workers.at(-1);
  const say = (said) => latest().hear(said);
  return { host, workers, told, latest, say, kinds: () => told.map(({ kind }) => kind) };
}

/** One whose scene runs, at this frame. */
function running({ frame = 0, thread = 'worker', scene = SCENE } = {}) {
  const all = hosted(thread);
  all.say({ kind: 'ready', catalogue: {} });
  all.host.send({ kind: 'theme', colours: 'dark' });
  all.host.send({ kind: 'overlays', overlays: 'cells' });
  all.host.send({ kind: 'start', ask: 1, parameters: scene, playing: true });
  all.say({ kind: 'heard', ask: 1 });
  all.say({ kind: 'started', ask: 1, parameters: scene });
  all.say({ kind: 'frame', report: { frame } });
  all.told.length = 0;
  return all;
}

test('a worker that hears is kept, however long it then takes', () => {
  const { host, workers, say } = running();
  host.send({ kind: 'start', ask: 2, parameters: OTHER, playing: true });
  say({ kind: 'heard', ask: 2 });
  mock.timers.tick(60_000);
  assert.equal(workers.length, 1);
});

test('a worker that is still being fetched is not deaf', () => {
  const { host, workers } = hosted();
  host.send({ kind: 'start', ask: 1, parameters: SCENE, playing: true });
  mock.timers.tick(60_000);
  assert.equal(workers.length, 1);
});

test('a deaf worker is replaced by one that looks the same and is asked the same', () => {
  const { host, workers, latest, say } = running({ frame: 40 });
  say({ kind: 'selected', selection: { object: 7, kept: true }, chosen: true });
  host.send({ kind: 'start', ask: 2, parameters: OTHER, playing: false });
  mock.timers.tick(DEAF_MS);
  assert.equal(workers.length, 2);
  assert.ok(workers[0].closed);
  assert.deepEqual(latest().posted, [
    { kind: 'theme', colours: 'dark' },
    { kind: 'overlays', overlays: 'cells' },
    { kind: 'start', ask: 2, parameters: OTHER, playing: false, selected: 7 },
  ]);
});

test('to have heard an older question is not to hear the last', () => {
  const { host, workers, say } = running();
  host.send({ kind: 'start', ask: 2, parameters: OTHER, playing: true });
  host.send({ kind: 'start', ask: 3, parameters: SCENE, playing: true });
  say({ kind: 'heard', ask: 2 });
  mock.timers.tick(DEAF_MS);
  assert.equal(workers.length, 2);
  assert.equal(workers[1].posted.at(-1).ask, 3);
});

test('another technique, asked of a deaf worker, goes on in the world where it was', () => {
  const { host, latest } = running({ frame: 40 });
  host.send({ kind: 'change', ask: 2, technique: 'tree', cellSize: 0 });
  mock.timers.tick(DEAF_MS);
  const parameters = { ...SCENE, technique: 'tree' };
  assert.deepEqual(latest().posted.at(-1), { kind: 'start', ask: 2, parameters, playing: true, selected: null, frame: 40 });
});

test('a world that has come very far begins anew, and the page is told', () => {
  const { host, latest, kinds } = running({ frame: 216_000 });
  host.send({ kind: 'change', ask: 2, technique: 'tree', cellSize: 0 });
  mock.timers.tick(DEAF_MS);
  assert.equal(latest().posted.at(-1).frame, 0);
  assert.deepEqual(kinds(), ['anew']);
});

test('what a new worker refuses leaves the scene before running, where it was', () => {
  const { host, latest, say, kinds } = running({ frame: 40 });
  host.send({ kind: 'start', ask: 2, parameters: { ...SCENE, objects: 0 }, playing: true });
  mock.timers.tick(DEAF_MS);
  say({ kind: 'refused', ask: 2, problems: [] });
  const takenUp = latest().posted.at(-1);
  assert.deepEqual([takenUp.kind, takenUp.parameters, takenUp.frame], ['start', SCENE, 40]);
  assert.ok(takenUp.ask < 1, 'a number that no question of the page has');
  assert.deepEqual(kinds(), ['refused']);
});

test('a new worker that refuses one question is asked the next, and not the scene before', () => {
  const { host, latest, say } = running();
  host.send({ kind: 'start', ask: 2, parameters: { ...SCENE, objects: 0 }, playing: true });
  mock.timers.tick(DEAF_MS);
  host.send({ kind: 'change', ask: 3, technique: 'tree', cellSize: 0 });
  say({ kind: 'refused', ask: 2, problems: [] });
  assert.deepEqual(
    latest().posted.filter(({ kind }) => kind === 'start' || kind === 'change').map(({ kind, ask }) => [kind, ask]),
    [['start', 2], ['start', 3]],
    'a worker without a world cannot change its technique',
  );
});

test('what a worker with a scene refuses changes nothing', () => {
  const { host, workers, say } = running();
  host.send({ kind: 'start', ask: 2, parameters: { ...SCENE, objects: 0 }, playing: true });
  say({ kind: 'heard', ask: 2 });
  say({ kind: 'refused', ask: 2, problems: [] });
  assert.equal(workers.length, 1);
  assert.equal(workers[0].posted.at(-1).ask, 2);
});

test('a failure is told once, and Start again brings the last scene that worked', () => {
  const { host, latest, workers, say, kinds } = running({ frame: 40 });
  host.send({ kind: 'start', ask: 2, parameters: OTHER, playing: true });
  say({ kind: 'failed', message: 'unreachable' });
  say({ kind: 'failed', message: 'again' });
  say({ kind: 'frame', report: { frame: 41 } });
  mock.timers.tick(DEAF_MS);
  assert.deepEqual(kinds(), ['failed']);
  assert.equal(workers.length, 1, 'it waits for the reader');
  host.restart();
  const { parameters, frame, playing } = latest().posted.at(-1);
  assert.deepEqual([parameters, frame, playing], [SCENE, 0, true]);
});

test('after a failure another scene or technique brings the stage back too', () => {
  for (const question of [
    { kind: 'start', ask: 2, parameters: OTHER, playing: true },
    { kind: 'change', ask: 2, technique: 'tree', cellSize: 0 },
  ]) {
    const { host, workers, say } = running();
    say({ kind: 'failed', message: 'unreachable' });
    host.send(question);
    assert.equal(workers.length, 2);
    assert.equal(workers[1].posted.at(-1).ask, 2);
    assert.ok(!host.isSpent);
  }
});

test('an engine of the page’s own thread is spent when it has failed', () => {
  const { host, say } = running({ thread: 'page' });
  assert.ok(!host.isSpent);
  say({ kind: 'failed', message: 'unreachable' });
  assert.ok(host.isSpent);
});

test('on the page’s own thread nobody is deaf', () => {
  const { host, workers } = running({ thread: 'page' });
  host.send({ kind: 'start', ask: 2, parameters: OTHER, playing: true });
  mock.timers.tick(DEAF_MS);
  assert.equal(workers.length, 1);
});

test('a worker that never ran a line gives way to the page’s own thread, and nothing that was asked is lost', () => {
  const { host, latest } = hosted();
  host.send({ kind: 'theme', colours: 'dark' });
  host.send({ kind: 'start', ask: 1, parameters: SCENE, playing: true, selected: 3 });
  latest().unable();
  assert.equal(latest().where, 'page');
  assert.deepEqual(latest().posted, [
    { kind: 'theme', colours: 'dark' },
    { kind: 'start', ask: 1, parameters: SCENE, playing: true, selected: 3 },
  ]);
});

test('a cancel is answered though the worker ends a long frame, and its answer is not told twice', () => {
  const { host, say, told, kinds } = running();
  host.send({ kind: 'measure', id: 1, cases: [] });
  host.send({ kind: 'cancel', id: 1 });
  mock.timers.tick(100);
  assert.deepEqual(told, [{ kind: 'finished', id: 1, cancelled: true }]);
  host.send({ kind: 'measure', id: 2, cases: [] });
  say({ kind: 'measured', id: 1, row: {} });
  say({ kind: 'finished', id: 1, cancelled: true });
  say({ kind: 'measured', id: 2, row: {} });
  assert.deepEqual(kinds(), ['finished', 'measured']);
  assert.equal(told[1].id, 2);
});

test('a cancel that the worker answers at once is told once', () => {
  const { host, say, kinds } = running();
  host.send({ kind: 'measure', id: 1, cases: [] });
  host.send({ kind: 'cancel', id: 1 });
  say({ kind: 'finished', id: 1, cancelled: true });
  mock.timers.tick(100);
  assert.deepEqual(kinds(), ['finished']);
});

test('what a replaced worker was measuring is over', () => {
  const { host, told } = running();
  host.send({ kind: 'measure', id: 1, cases: [] });
  host.send({ kind: 'start', ask: 2, parameters: OTHER, playing: true });
  mock.timers.tick(DEAF_MS);
  assert.deepEqual(told, [{ kind: 'finished', id: 1, cancelled: true }]);
});

test('an object that was let go is not selected again by a new worker', () => {
  const { host, latest, say } = running();
  say({ kind: 'selected', selection: { object: 7, kept: true }, chosen: true });
  say({ kind: 'selected', selection: { object: 8, kept: false }, chosen: false });
  say({ kind: 'failed', message: 'unreachable' });
  host.restart();
  assert.equal(latest().posted.at(-1).selected, null, 'what the pointer rests on is found by pointing');
});
