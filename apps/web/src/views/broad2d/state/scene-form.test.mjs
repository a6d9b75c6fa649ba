import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { Scene } from './scene-form.ts';

const DEFAULTS = {
  width: 960, height: 540, objects: 600, bounds: 'aabb', minSize: 6, maxSize: 16,
  minSpeed: 20, maxSpeed: 80, technique: 'auto', cellSize: 24, seed: 1,
};
const CATALOG = {
  defaults: DEFAULTS,
  techniques: [{ name: 'auto', takesCell: false }, { name: 'tree', takesCell: false }, { name: 'study-grid', takesCell: true }],
};

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ['setTimeout'] });
});

/** A scene form, the requests it sends, and an engine that responds when the test says so. */
function requesting() {
  const [sentRequests, refusals, opened] = [[], [], []];
  const scene = new Scene({
    request: (pendingRequest) => sentRequests.push(pendingRequest),
    refused: ({ field }) => refusals.push(field),
    resolved: () => undefined,
    opened: (rejected) => opened.push(rejected),
  });
  scene.catalog.value = CATALOG;
  const accept = ({ requestId, kind, scene: parameters }) =>
    scene.receive({ kind: kind === 'start' ? 'started' : 'changed', requestId, parameters });
  const refuse = ({ requestId }, ...fields) =>
    scene.receive({ kind: 'refused', requestId, problems: fields.map((field) => ({ field, problem: 'too-small' })) });
  const open = (change, { invalid = [], selected = null } = {}) =>
    scene.open({ shown: { parameters: { ...DEFAULTS, ...change }, selected }, invalid });
  return { scene, sentRequests, refusals, opened, accept, refuse, open, last: () => sentRequests.at(-1) };
}

/** A form whose default scene runs. */
function running() {
  const all = requesting();
  all.open({});
  all.accept(all.last());
  all.sentRequests.length = 0;
  all.opened.length = 0;
  return all;
}

test('a rejected link is requested again with defaults for its invalid fields, then with all defaults', () => {
  const { scene, open, refuse, accept, last, opened } = requesting();
  open({ objects: 0, maxSize: 1, seed: 7 }, { invalid: ['view'] });
  refuse(last(), 'objects');
  assert.deepEqual(last().scene, { ...DEFAULTS, maxSize: 1, seed: 7 });
  refuse(last(), 'maxSize');
  assert.deepEqual(last().scene, DEFAULTS);
  accept(last());
  assert.deepEqual(opened, [['view', 'objects', 'maxSize', 'seed']]);
  assert.deepEqual([scene.running.value, scene.draft.value, scene.problems.value], [DEFAULTS, DEFAULTS, []]);
});

test('a link that is rejected without naming a field becomes the default scene at once', () => {
  const { scene, open, refuse, accept, last, opened } = requesting();
  open({ objects: 5, seed: 7 });
  refuse(last(), 'parameters');
  assert.deepEqual(last().scene, DEFAULTS);
  accept(last());
  assert.deepEqual(opened, [['objects', 'seed']]);
  assert.deepEqual(scene.running.value, DEFAULTS);
});

test('the rejection of one link does not affect the next', () => {
  const { scene, sentRequests, open, refuse, accept, opened } = running();
  open({ objects: 0, seed: 5 });
  open({ objects: 50, seed: 6 });
  const [first, second] = sentRequests;
  refuse(first, 'objects');
  assert.equal(sentRequests.length, 2, 'no further request for the first link');
  accept(second);
  assert.deepEqual(opened, [[]]);
  assert.equal(scene.running.value.objects, 50);
  assert.equal(scene.draft.value.objects, 50);
});

test('a response to an older request determines what runs, and the last stays pending', () => {
  const { scene, sentRequests, accept, refuse } = running();
  scene.edit({ objects: 10 }, 'now');
  scene.edit({ objects: 0 }, 'now');
  accept(sentRequests[0]);
  assert.equal(scene.running.value.objects, 10);
  assert.ok(scene.isPending.value);
  refuse(sentRequests[1], 'objects');
  assert.equal(scene.running.value.objects, 10);
  assert.deepEqual(scene.problems.value.map(({ field }) => field), ['objects']);
  assert.ok(!scene.isPending.value);
});

test('an edit reverted before its response results in the scene of the form', () => {
  const { scene, sentRequests, accept } = running();
  scene.edit({ objects: 10 }, 'now');
  scene.edit({ objects: 600 }, 'now');
  sentRequests.forEach(accept);
  assert.deepEqual(scene.running.value, scene.draft.value);
});

test('a pending request is not sent twice', () => {
  const { scene, sentRequests, accept } = running();
  scene.edit({ objects: 10 }, 'typing');
  mock.timers.tick(1000);
  scene.apply();
  assert.equal(sentRequests.length, 1);
  accept(sentRequests[0]);
  scene.apply();
  assert.equal(sentRequests.length, 1);
});

test('another technique changes the running world, also while a field is invalid', () => {
  const { scene, sentRequests, accept, refuse, last } = running();
  scene.edit({ objects: 0 }, 'now');
  refuse(last(), 'objects');
  for (const technique of ['tree', 'study-grid']) {
    scene.edit({ technique }, 'now');
    assert.deepEqual([last().kind, last().scene], ['change', { ...DEFAULTS, technique }]);
    accept(last());
    assert.deepEqual(scene.problems.value.map(({ field }) => field), ['objects']);
  }
  scene.apply();
  assert.equal(sentRequests.length, 3, 'the rejected world is not requested again');
  scene.edit({ objects: 20 }, 'now');
  assert.deepEqual([last().kind, last().scene], ['start', { ...DEFAULTS, objects: 20, technique: 'study-grid' }]);
  accept(last());
  assert.deepEqual(scene.problems.value, []);
});

test('a technique chosen while an invalid world is being rejected is changed afterwards', () => {
  const { scene, sentRequests, refuse, accept, last } = running();
  scene.edit({ objects: 0 }, 'now');
  scene.edit({ technique: 'tree' }, 'now');
  refuse(sentRequests[0], 'objects');
  refuse(sentRequests[1], 'objects');
  assert.deepEqual([last().kind, last().scene], ['change', { ...DEFAULTS, technique: 'tree' }]);
  accept(last());
  assert.deepEqual(scene.problems.value.map(({ field }) => field), ['objects']);
});

test('a rejected technique keeps the errors of the other fields', () => {
  const { scene, refuse, refusals, last } = running();
  scene.edit({ objects: 0 }, 'now');
  refuse(last(), 'objects');
  scene.edit({ technique: 'study-grid', cellSize: 0 }, 'now');
  refuse(last(), 'cellSize');
  assert.deepEqual(scene.problems.value.map(({ field }) => field), ['objects', 'cellSize']);
  assert.deepEqual(refusals, ['objects', 'cellSize']);
});

test('a restarted stage reports what runs and leaves the form unchanged', () => {
  const { scene, refuse, last } = running();
  scene.edit({ objects: 0 }, 'now');
  refuse(last(), 'objects');
  scene.receive({ kind: 'started', requestId: 0, parameters: DEFAULTS });
  assert.equal(scene.draft.value.objects, 0);
  assert.equal(scene.problems.value.length, 1);
});

test('a callback for the response runs once after it, and never if the engine is lost', () => {
  const { scene, accept, last } = running();
  const called = [];
  scene.onceIdle(() => called.push('at once'));
  scene.edit({ objects: 10 }, 'now');
  scene.onceIdle(() => called.push(scene.running.value.objects));
  accept(last());
  scene.edit({ objects: 11 }, 'now');
  scene.onceIdle(() => called.push('lost'));
  scene.lost();
  scene.edit({ objects: 12 }, 'now');
  accept(last());
  assert.deepEqual(called, ['at once', 10]);
});

test('a selected object that the link’s world lacks is reported as not applied', () => {
  const { open, refuse, accept, last, opened } = requesting();
  open({ objects: 1e9 }, { selected: 700 });
  refuse(last(), 'objects');
  assert.equal(last().link.selected, 700);
  accept(last());
  assert.deepEqual(opened, [['objects', 'selected']]);
});

/** Run used to measure the running scene, whatever the form said. */
test('a rejected form stays rejected until it is edited, however often it is applied', () => {
  const { scene, sentRequests, accept, refuse, last } = running();
  scene.edit({ objects: 0, seed: 9 }, 'now');
  assert.equal(scene.isRefused.value, false, 'not validated yet');
  refuse(last(), 'objects');
  assert.equal(scene.isRefused.value, true);
  scene.edit({ objects: 0 }, 'now');
  assert.deepEqual([scene.isRefused.value, sentRequests.length], [true, 1], 'the same again');
  scene.edit({ technique: 'tree' }, 'now');
  accept(last());
  assert.equal(scene.isRefused.value, true, 'another technique corrects no field');
  scene.edit({ objects: 50 }, 'typing');
  assert.equal(scene.isRefused.value, false);
  mock.timers.tick(1000);
  accept(last());
  assert.deepEqual([scene.isRefused.value, scene.running.value.objects, scene.running.value.seed], [false, 50, 9]);
});

test('a rejection refers to the requested form, not to edits made since', () => {
  const { scene, refuse, accept, last } = running();
  scene.edit({ objects: 0 }, 'now');
  const earlier = last();
  scene.edit({ objects: 40 }, 'typing');
  refuse(earlier, 'objects');
  assert.deepEqual([scene.problems.value.length, scene.isRefused.value], [1, false], '40 is not validated yet');
  mock.timers.tick(400);
  assert.equal(last().scene.objects, 40);
  accept(last());
  assert.deepEqual([scene.problems.value, scene.isRefused.value], [[], false]);
});

test('a reset does not validate edits made since the rejection', () => {
  const { scene, refuse, accept, last } = running();
  scene.edit({ objects: 0 }, 'now');
  refuse(last(), 'objects');
  scene.reset();
  accept(last());
  assert.equal(scene.isRefused.value, true, 'the form is unchanged');
  scene.edit({ objects: 40 }, 'typing');
  scene.reset();
  accept(last());
  assert.equal(scene.isRefused.value, false, '40 is not validated yet');
});
