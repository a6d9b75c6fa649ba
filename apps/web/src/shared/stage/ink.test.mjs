import assert from 'node:assert/strict';
import { test } from 'node:test';

import { inkOf } from './ink.ts';

// The build writes #ffffff as #fff, and a white stage was blue.
test('a colour is the same, written long or short', () => {
  assert.deepEqual(inkOf('#fff'), [1, 1, 1]);
  assert.deepEqual(inkOf('#ffffff'), [1, 1, 1]);
  assert.deepEqual(inkOf('#f80'), inkOf('#ff8800'));
});
