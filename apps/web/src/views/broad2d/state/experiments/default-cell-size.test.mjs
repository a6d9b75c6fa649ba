import assert from 'node:assert/strict';
import { test } from 'node:test';

import { defaultCellSizes } from './default-cell-size.ts';

const scene = { width: 20, height: 15, maxSize: 10.5, cellSize: 24, technique: 'auto' };
const [auto, grid, studyGrid] = [
  { takesCell: false, choosesCell: false },
  { takesCell: true, choosesCell: true },
  { takesCell: true, choosesCell: false },
];

test('a cell size in the form applies to every technique', () => {
  const cellOf = defaultCellSizes(scene, grid);
  assert.deepEqual([grid, studyGrid].map(cellOf), [24, 24]);
});

test('without one, adaptive grids choose their own, and the study’s grid gets cells for the largest object', () => {
  const cellOf = defaultCellSizes(scene, auto);
  assert.deepEqual([grid, studyGrid].map(cellOf), [0, 12]);
  const chosen = defaultCellSizes({ ...scene, cellSize: 0 }, grid);
  assert.deepEqual([grid, studyGrid].map(chosen), [0, 12]);
  const full = defaultCellSizes({ ...scene, maxSize: 20 }, auto);
  assert.equal(full(studyGrid), 20, 'never larger than the world');
});
