import assert from 'node:assert/strict';
import { test } from 'node:test';

import { read, USUAL, write } from './address.ts';

const CATALOGUE = { scenes: [{ name: 'city', isRandom: false }, { name: 'random-low', isRandom: true }], techniques: [], mostRandom: 1000, levels: 6 };

test('what is written is read again', () => {
  const source = { scene: 'random-low', count: 77, seed: 5 };
  const shown = {
    technique: 'octree',
    boxes: 3,
    click: 'sight',
    ray: { origin: [1, -2.5, 1e-7], direction: [0, 0.1, 3] },
    step: 4,
    sight: [[1, 2, 3], [4, 5, 6]],
    metric: 'cells',
    camera: [0.5, 0.25, 10, 1, 2, 3],
  };
  assert.deepEqual(read(write(source, CATALOGUE, shown), CATALOGUE), { source, file: null, shown, unreadable: [] });
});

test('a file is only named, and a scene that is not random has no seed', () => {
  const file = { file: { name: 'bunny.ply' } };
  assert.equal(read(write(file, CATALOGUE, USUAL), CATALOGUE).file, 'bunny.ply');
  const city = write({ scene: 'city', count: 9, seed: 9 }, CATALOGUE, USUAL);
  assert.equal(city.has('seed') || city.has('count'), false);
});

test('what cannot be read is named, and the rest is taken', () => {
  const address = new URLSearchParams('view=rays&scene=moon&ray=0,0,0,0,0,0&boxes=99&sight=1,2&camera=a&heat=x&count=1e9&ghost=1&structure=bvh&step=2');
  const { unreadable, shown, source } = read(address, CATALOGUE);
  assert.deepEqual(unreadable.toSorted(), ['boxes', 'camera', 'count', 'ghost', 'heat', 'ray', 'scene', 'sight']);
  assert.equal(shown.step, 2);
  assert.equal(source.scene, 'city');
});
