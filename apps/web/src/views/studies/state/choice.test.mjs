import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CATALOG } from './catalog.sample.mjs';
import { choiceOf, chosenTechniques, FIRST, problemsOf, readList, requestOf, withStudy, workersOf, formatList } from './choice.ts';

const options = (choice) => JSON.parse(requestOf(CATALOG, { ...FIRST, ...choice }, 4).options);

test('an unchanged study has an empty request', () => {
  assert.deepEqual(options({}), { quick: true, threads: 3 });
  assert.deepEqual(options({ quick: false, workers: 1 }), { threads: 1 });
});

test('the request contains only differences from the defaults, so that a published experiment stays one', () => {
  assert.deepEqual(options({ lists: { sizes: [100, 500] }, numbers: { rays: 1000, seed: 1 } }), { quick: true, threads: 3 });
  assert.deepEqual(options({ lists: { sizes: [7] }, numbers: { rays: 50 }, families: ['high'], techniques: ['bvh', 'brute'] }), {
    quick: true,
    sizes: [7],
    rays: 50,
    families: ['high'],
    technique: ['brute', 'bvh'],
    threads: 3,
  });
});

test('techniques that a quick study leaves out are requested by name, and a full study has them unasked', () => {
  const quick = ['study-brute', 'study-octree', 'brute', 'bvh'];
  assert.deepEqual(chosenTechniques(CATALOG, FIRST), quick);
  assert.deepEqual(options({ techniques: quick }), { quick: true, threads: 3 });
  assert.deepEqual(options({ techniques: [...quick, 'kd-tree'] }), { quick: true, technique: [...quick, 'kd-tree'], threads: 3 });
  assert.deepEqual(options({ quick: false, techniques: [...quick, 'kd-tree'] }), { threads: 3 });
  assert.deepEqual(options({ quick: false, techniques: quick }), { technique: quick, threads: 3 });
});

test('options that a study lacks are not requested', () => {
  const choice = { study: 'broad2d', lists: { sizes: [3], objects: [5] }, numbers: { rays: 3, frames: 4 } };
  assert.deepEqual(options(choice), { quick: true, frames: 4, threads: 3 });
  assert.deepEqual(options({ ...choice, experiment: '2' }), { quick: true, experiment: 2, objects: [5], frames: 4, threads: 3 });
  assert.deepEqual(options({ ...choice, study: 'simulator' }), { quick: true, threads: 3 });
});

test('the settings of a run are restored from its request', () => {
  for (const change of [
    {},
    { study: 'rays', quick: false, lists: { sizes: [7, 900] }, numbers: { rays: 20, repeats: 1 }, families: ['low'], techniques: ['bvh'], workers: 1 },
    { study: 'broad2d', experiment: '2', lists: { objects: [3] }, numbers: { frames: 5, seed: 4 } },
    { study: 'simulator', techniques: ['contact', 'impulse'], workers: 2 },
  ]) {
    const choice = { ...FIRST, ...change };
    assert.deepEqual(choiceOf(CATALOG, requestOf(CATALOG, choice, 4), 4), choice);
  }
  assert.equal(choiceOf(CATALOG, requestOf(CATALOG, { ...FIRST, workers: 8 }, 8), 2), null, 'a machine with fewer cores');
});

test('one core is left for the page, and the workers are limited to the cores', () => {
  assert.deepEqual([1, 2, 4, 64].map((cores) => workersOf(FIRST, cores)), [1, 1, 3, 8]);
  assert.equal(workersOf({ ...FIRST, workers: 16 }, 2), 2);
});

test('every error that prevents a run names its field', () => {
  const wrong = { lists: { sizes: [100, Number.NaN] }, numbers: { rays: 0, seed: 1.5, repeats: Number.NaN }, families: [], techniques: [], workers: 9 };
  const problems = problemsOf(CATALOG, { ...FIRST, ...wrong }, 4);
  assert.deepEqual(Object.fromEntries([...problems].map(([field, { kind }]) => [field, kind])), {
    rays: 'too-small',
    repeats: 'not-a-number',
    seed: 'not-whole',
    sizes: 'not-a-number',
    families: 'nothing',
    techniques: 'nothing',
    workers: 'too-large',
  });
  assert.equal(problemsOf(CATALOG, withStudy({ ...FIRST, ...wrong, workers: null }, 'broad3d'), 4).size, 0, 'another study has its own defaults');
});

test('a list is separated by commas or spaces, and thousands separators are rejected', () => {
  assert.deepEqual(readList(' 100,500;  1000 '), [100, 500, 1000]);
  assert.deepEqual(readList(''), []);
  for (const text of ['1,000', '1.5', '-3', 'ten', '1e3', '0x10']) assert.ok(readList(text).some(Number.isNaN), text);
  assert.deepEqual(readList(formatList([1, 20, 300])), [1, 20, 300]);
});
