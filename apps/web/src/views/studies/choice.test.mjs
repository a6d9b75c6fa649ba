import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CATALOGUE } from './catalogue.sample.mjs';
import { FIRST, problemsOf, readList, requestOf, withStudy, workersOf, writeList } from './choice.ts';

const asked = (choice) => JSON.parse(requestOf(CATALOGUE, { ...FIRST, ...choice }, 4).asked);

test('a study that is left alone is asked for as it is', () => {
  assert.deepEqual(asked({}), { quick: true, threads: 3 });
  assert.deepEqual(asked({ quick: false, workers: 1 }), { threads: 1 });
});

test('only what differs from the study’s own is asked for, so that a published experiment stays one', () => {
  assert.deepEqual(asked({ lists: { sizes: [100, 500] }, numbers: { rays: 1000, seed: 1 } }), { quick: true, threads: 3 });
  assert.deepEqual(asked({ lists: { sizes: [7] }, numbers: { rays: 50 }, families: ['high'], techniques: ['bvh', 'brute'] }), {
    quick: true,
    sizes: [7],
    rays: 50,
    families: ['high'],
    technique: ['brute', 'bvh'],
    threads: 3,
  });
});

test('what a study cannot be told is not asked for', () => {
  const choice = { study: 'broad2d', lists: { sizes: [3], objects: [5] }, numbers: { rays: 3, frames: 4 } };
  assert.deepEqual(asked(choice), { quick: true, frames: 4, threads: 3 });
  assert.deepEqual(asked({ ...choice, experiment: '2' }), { quick: true, experiment: 2, objects: [5], frames: 4, threads: 3 });
  assert.deepEqual(asked({ ...choice, study: 'simulator' }), { quick: true, threads: 3 });
});

test('one core stays for the page, and nobody gets more than there are', () => {
  assert.deepEqual([1, 2, 4, 64].map((cores) => workersOf(FIRST, cores)), [1, 1, 3, 8]);
  assert.equal(workersOf({ ...FIRST, workers: 16 }, 2), 2);
});

test('everything that keeps a study from running is named by its field', () => {
  const wrong = { lists: { sizes: [100, Number.NaN] }, numbers: { rays: 0, seed: 1.5, repeats: Number.NaN }, families: [], techniques: [], workers: 9 };
  const problems = problemsOf(CATALOGUE, { ...FIRST, ...wrong }, 4);
  assert.deepEqual(Object.fromEntries([...problems].map(([field, { kind }]) => [field, kind])), {
    rays: 'too-small',
    repeats: 'not-a-number',
    seed: 'not-whole',
    sizes: 'not-a-number',
    families: 'nothing',
    techniques: 'nothing',
    workers: 'too-large',
  });
  assert.equal(problemsOf(CATALOGUE, withStudy({ ...FIRST, ...wrong, workers: null }, 'broad3d'), 4).size, 0, 'another study begins anew');
});

test('a list is read between commas or spaces, and marks of thousands are not guessed at', () => {
  assert.deepEqual(readList(' 100,500;  1000 '), [100, 500, 1000]);
  assert.deepEqual(readList(''), []);
  for (const text of ['1,000', '1.5', '-3', 'ten', '1e3', '0x10']) assert.ok(readList(text).some(Number.isNaN), text);
  assert.deepEqual(readList(writeList([1, 20, 300])), [1, 20, 300]);
});
