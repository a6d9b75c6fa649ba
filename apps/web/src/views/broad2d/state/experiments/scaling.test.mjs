import assert from 'node:assert/strict';
import { test } from 'node:test';

import { OWN, scalingExperiment } from './scaling.ts';

const TECHNIQUES = [
  { name: 'auto', takesCell: false, choosesCell: true },
  { name: 'study-grid', takesCell: true, choosesCell: false },
];
const CATALOG = { techniques: TECHNIQUES, limits: { objects: [1, 1500] } };
const SCENE = { width: 960, height: 540, objects: 600, bounds: 'circle', minSize: 6, maxSize: 16, technique: 'auto', cellSize: 0, seed: 3 };

test('the own world is measured with a quarter to four times its objects, within the limits', () => {
  const { number, cases, published } = scalingExperiment(CATALOG, SCENE, undefined);
  assert.deepEqual([number, published], [OWN, []]);
  assert.deepEqual([...new Set(cases.map(({ objects }) => objects))], [150, 300, 600, 1200, 1500]);
  assert.deepEqual(cases.slice(0, 2).map(({ technique, cellSize, bounds }) => [technique, cellSize, bounds]), [['auto', 0, 'circle'], ['study-grid', 17, 'circle']]);
  assert.deepEqual([...new Set(scalingExperiment(CATALOG, { ...SCENE, objects: 1 }, undefined).cases.map(({ objects }) => objects))], [1, 2, 4]);
});
