import assert from 'node:assert/strict';
import { test } from 'node:test';

import { countByLevel } from './count-by-level.ts';
import { coloredLevels } from './octree-levels.ts';

test('objects are counted by level, except those without one; the deepest levels are counted together', () => {
  assert.deepEqual(countByLevel(Float32Array.from([0, 2, -1, 2])), [1, 0, 2]);
  assert.equal(countByLevel(null), null);
  const levels = coloredLevels(countByLevel(Uint8Array.from([0, 7, 8, 12])));
  assert.deepEqual([levels.length, levels[0], levels[7]], [8, { level: 0, count: 1 }, { level: 7, count: 3 }]);
});
