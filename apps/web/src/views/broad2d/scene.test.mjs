import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { Scene } from './scene.ts';

const USUAL = {
  width: 960, height: 540, objects: 600, bounds: 'aabb', minSize: 6, maxSize: 16,
  minSpeed: 20, maxSpeed: 80, technique: 'auto', cellSize: 24, seed: 1,
};
const CATALOGUE = {
  defaults: USUAL,
  techniques: [{ name: 'auto', takesCell: false }, { name: 'tree', takesCell: false }, { name: 'study-grid', takesCell: true }],
};

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ['setTimeout'] });
});

/** A scene, the questions that it asks, and an engine that answers when the test says so. */
function asking() {
  const [questions, refusals, opened] = [[], [], []];
  const scene = new Scene({
    ask: (question) => questions.push(question),
    refused: ({ field }) => refusals.push(field),
    mended: () => undefined,
    opened: (untaken) => opened.push(untaken),
  });
  scene.catalogue.value = CATALOGUE;
  const accept = ({ ask, kind, scene: parameters }) =>
    scene.hear({ kind: kind === 'start' ? 'started' : 'changed', ask, parameters });
  const refuse = ({ ask }, ...fields) =>
    scene.hear({ kind: 'refused', ask, problems: fields.map((field) => ({ field, problem: 'too-small' })) });
  const open = (change, { unreadable = [], selected = null } = {}) =>
    scene.open({ shown: { parameters: { ...USUAL, ...change }, selected }, unreadable });
  return { scene, questions, refusals, opened, accept, refuse, open, last: () => questions.at(-1) };
}

/** One whose usual scene runs. */
function running() {
  const all = asking();
  all.open({});
  all.accept(all.last());
  all.questions.length = 0;
  all.opened.length = 0;
  return all;
}

test('a refused link is asked again with the usual values of what is wrong, then of everything', () => {
  const { scene, open, refuse, accept, last, opened } = asking();
  open({ objects: 0, maxSize: 1, seed: 7 }, { unreadable: ['view'] });
  refuse(last(), 'objects');
  assert.deepEqual(last().scene, { ...USUAL, maxSize: 1, seed: 7 });
  refuse(last(), 'maxSize');
  assert.deepEqual(last().scene, USUAL);
  accept(last());
  assert.deepEqual(opened, [['view', 'objects', 'maxSize', 'seed']]);
  assert.deepEqual([scene.running.value, scene.draft.value, scene.problems.value], [USUAL, USUAL, []]);
});

test('a link that the engine refuses without naming a field becomes the usual scene at once', () => {
  const { scene, open, refuse, accept, last, opened } = asking();
  open({ objects: 5, seed: 7 });
  refuse(last(), 'parameters');
  assert.deepEqual(last().scene, USUAL);
  accept(last());
  assert.deepEqual(opened, [['objects', 'seed']]);
  assert.deepEqual(scene.running.value, USUAL);
});

test('a refusal of one link says nothing about the next', () => {
  const { scene, questions, open, refuse, accept, opened } = running();
  open({ objects: 0, seed: 5 });
  open({ objects: 50, seed: 6 });
  const [first, second] = questions;
  refuse(first, 'objects');
  assert.equal(questions.length, 2, 'nothing is asked for the first any more');
  accept(second);
  assert.deepEqual(opened, [[]]);
  assert.equal(scene.running.value.objects, 50);
  assert.equal(scene.draft.value.objects, 50);
});

test('an answer to an older question says what runs, and the last is still open', () => {
  const { scene, questions, accept, refuse } = running();
  scene.edit({ objects: 10 }, 'now');
  scene.edit({ objects: 0 }, 'now');
  accept(questions[0]);
  assert.equal(scene.running.value.objects, 10);
  assert.ok(scene.isAsking.value);
  refuse(questions[1], 'objects');
  assert.equal(scene.running.value.objects, 10);
  assert.deepEqual(scene.problems.value.map(({ field }) => field), ['objects']);
  assert.ok(!scene.isAsking.value);
});

test('who takes an edit back before it is answered gets what the form shows', () => {
  const { scene, questions, accept } = running();
  scene.edit({ objects: 10 }, 'now');
  scene.edit({ objects: 600 }, 'now');
  questions.forEach(accept);
  assert.deepEqual(scene.running.value, scene.draft.value);
});

test('what is under way is not asked twice', () => {
  const { scene, questions, accept } = running();
  scene.edit({ objects: 10 }, 'typing');
  mock.timers.tick(1000);
  scene.apply();
  assert.equal(questions.length, 1);
  accept(questions[0]);
  scene.apply();
  assert.equal(questions.length, 1);
});

test('another technique changes the world that goes on, also while a field is wrong', () => {
  const { scene, questions, accept, refuse, last } = running();
  scene.edit({ objects: 0 }, 'now');
  refuse(last(), 'objects');
  for (const technique of ['tree', 'study-grid']) {
    scene.edit({ technique }, 'now');
    assert.deepEqual([last().kind, last().scene], ['change', { ...USUAL, technique }]);
    accept(last());
    assert.deepEqual(scene.problems.value.map(({ field }) => field), ['objects']);
  }
  scene.apply();
  assert.equal(questions.length, 3, 'what was refused is not asked again');
  scene.edit({ objects: 20 }, 'now');
  assert.deepEqual([last().kind, last().scene], ['start', { ...USUAL, objects: 20, technique: 'study-grid' }]);
  accept(last());
  assert.deepEqual(scene.problems.value, []);
});

test('a technique chosen while a wrong world is being refused is changed then', () => {
  const { scene, questions, refuse, accept, last } = running();
  scene.edit({ objects: 0 }, 'now');
  scene.edit({ technique: 'tree' }, 'now');
  refuse(questions[0], 'objects');
  refuse(questions[1], 'objects');
  assert.deepEqual([last().kind, last().scene], ['change', { ...USUAL, technique: 'tree' }]);
  accept(last());
  assert.deepEqual(scene.problems.value.map(({ field }) => field), ['objects']);
});

test('a refused technique keeps what is said of the rest of the form', () => {
  const { scene, refuse, refusals, last } = running();
  scene.edit({ objects: 0 }, 'now');
  refuse(last(), 'objects');
  scene.edit({ technique: 'study-grid', cellSize: 0 }, 'now');
  refuse(last(), 'cellSize');
  assert.deepEqual(scene.problems.value.map(({ field }) => field), ['objects', 'cellSize']);
  assert.deepEqual(refusals, ['objects', 'cellSize']);
});

test('a stage that comes back by itself says what runs and leaves the form as it is', () => {
  const { scene, refuse, last } = running();
  scene.edit({ objects: 0 }, 'now');
  refuse(last(), 'objects');
  scene.hear({ kind: 'started', ask: 0, parameters: USUAL });
  assert.equal(scene.draft.value.objects, 0);
  assert.equal(scene.problems.value.length, 1);
});

test('who waits for the answer is called once, after it, and never if the engine is lost', () => {
  const { scene, accept, last } = running();
  const called = [];
  scene.onceAnswered(() => called.push('at once'));
  scene.edit({ objects: 10 }, 'now');
  scene.onceAnswered(() => called.push(scene.running.value.objects));
  accept(last());
  scene.edit({ objects: 11 }, 'now');
  scene.onceAnswered(() => called.push('lost'));
  scene.lost();
  scene.edit({ objects: 12 }, 'now');
  accept(last());
  assert.deepEqual(called, ['at once', 10]);
});

test('an object that the world of a link has not is named as not taken', () => {
  const { open, refuse, accept, last, opened } = asking();
  open({ objects: 1e9 }, { selected: 700 });
  refuse(last(), 'objects');
  assert.equal(last().link.selected, 700);
  accept(last());
  assert.deepEqual(opened, [['objects', 'selected']]);
});

/** Run measured the scene that ran, whatever the form said. */
test('a form that was refused is so until something else is typed, however often it is asked', () => {
  const { scene, questions, accept, refuse, last } = running();
  scene.edit({ objects: 0, seed: 9 }, 'now');
  assert.equal(scene.isRefused.value, false, 'nobody has judged it yet');
  refuse(last(), 'objects');
  assert.equal(scene.isRefused.value, true);
  scene.edit({ objects: 0 }, 'now');
  assert.deepEqual([scene.isRefused.value, questions.length], [true, 1], 'the same again');
  scene.edit({ technique: 'tree' }, 'now');
  accept(last());
  assert.equal(scene.isRefused.value, true, 'another technique mends no field');
  scene.edit({ objects: 50 }, 'typing');
  assert.equal(scene.isRefused.value, false);
  mock.timers.tick(1000);
  accept(last());
  assert.deepEqual([scene.isRefused.value, scene.running.value.objects, scene.running.value.seed], [false, 50, 9]);
});

test('a refusal is of the form that was asked, not of what was typed while the engine thought about it', () => {
  const { scene, refuse, accept, last } = running();
  scene.edit({ objects: 0 }, 'now');
  const asked = last();
  scene.edit({ objects: 40 }, 'typing');
  refuse(asked, 'objects');
  assert.deepEqual([scene.problems.value.length, scene.isRefused.value], [1, false], 'nobody has judged 40');
  mock.timers.tick(400);
  assert.equal(last().scene.objects, 40);
  accept(last());
  assert.deepEqual([scene.problems.value, scene.isRefused.value], [[], false]);
});

test('a reset judges nothing that was typed since the form was refused', () => {
  const { scene, refuse, accept, last } = running();
  scene.edit({ objects: 0 }, 'now');
  refuse(last(), 'objects');
  scene.reset();
  accept(last());
  assert.equal(scene.isRefused.value, true, 'the form is as it was');
  scene.edit({ objects: 40 }, 'typing');
  scene.reset();
  accept(last());
  assert.equal(scene.isRefused.value, false, 'nobody has judged 40');
});
