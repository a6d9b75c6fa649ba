import assert from 'node:assert/strict';
import { test } from 'node:test';

import { cellsToCompare } from './cells.ts';

const scene = { width: 20, height: 15, maxSize: 10.5, cellSize: 24, technique: 'auto' };
const [auto, grid, studyGrid] = [
  { takesCell: false, choosesCell: false },
  { takesCell: true, choosesCell: true },
  { takesCell: true, choosesCell: false },
];

test('cells that the form shows are those of every technique', () => {
  const cellOf = cellsToCompare(scene, grid);
  assert.deepEqual([grid, studyGrid].map(cellOf), [24, 24]);
});

test('cells that nobody sees are nobody’s: a grid chooses its own, the study’s gets room for the largest object', () => {
  const cellOf = cellsToCompare(scene, auto);
  assert.deepEqual([grid, studyGrid].map(cellOf), [0, 12]);
  const chosen = cellsToCompare({ ...scene, cellSize: 0 }, grid);
  assert.deepEqual([grid, studyGrid].map(chosen), [0, 12]);
  const full = cellsToCompare({ ...scene, maxSize: 20 }, auto);
  assert.equal(full(studyGrid), 20, 'never larger than the world');
});
