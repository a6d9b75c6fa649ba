import assert from 'node:assert/strict';
import { test } from 'node:test';

import { toGlColor } from './gl-color.ts';

// The build shortens #ffffff to #fff; a white stage was drawn blue.
test('long and short hex colors are equal', () => {
  assert.deepEqual(toGlColor('#fff'), [1, 1, 1]);
  assert.deepEqual(toGlColor('#ffffff'), [1, 1, 1]);
  assert.deepEqual(toGlColor('#f80'), toGlColor('#ff8800'));
});
