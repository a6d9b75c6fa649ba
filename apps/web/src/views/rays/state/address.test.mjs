import assert from 'node:assert/strict';
import { test } from 'node:test';

import { read, DEFAULTS, write } from './address.ts';

const CATALOG = { scenes: [{ name: 'city', isRandom: false }, { name: 'random-low', isRandom: true }], techniques: [], mostRandom: 1000, levels: 6 };

test('a written address is parsed to the same state', () => {
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
  assert.deepEqual(read(write(source, CATALOG, shown), CATALOG), { source, file: null, shown, invalid: [] });
});

test('a file is only named, and a scene without random numbers has no seed', () => {
  const file = { file: { name: 'bunny.ply' } };
  assert.equal(read(write(file, CATALOG, DEFAULTS), CATALOG).file, 'bunny.ply');
  const city = write({ scene: 'city', count: 9, seed: 9 }, CATALOG, DEFAULTS);
  assert.equal(city.has('seed') || city.has('count'), false);
});

test('invalid parameters are reported, and the rest is applied', () => {
  const address = new URLSearchParams('view=rays&scene=moon&ray=0,0,0,0,0,0&boxes=99&sight=1,2&camera=a&heat=x&count=1e9&ghost=1&structure=bvh&step=2');
  const { invalid, shown, source } = read(address, CATALOG);
  assert.deepEqual(invalid.toSorted(), ['boxes', 'camera', 'count', 'ghost', 'heat', 'ray', 'scene', 'sight']);
  assert.equal(shown.step, 2);
  assert.equal(source.scene, 'city');
});
