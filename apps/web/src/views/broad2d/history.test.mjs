import assert from 'node:assert/strict';
import { test } from 'node:test';

import { History } from './history.ts';

test('the mean of frames a second is frames by seconds, not a mean of rates', () => {
  const history = new History();
  // A second at 60, then a second at 20: 80 frames in 2 s.
  history.add({ frame: 1, ms: 1, tests: 1, fps: 60 });
  history.add({ frame: 60, ms: 1, tests: 1, fps: 60 });
  history.add({ frame: 80, ms: 1, tests: 1, fps: 20 });
  assert.ok(Math.abs(history.meanFps() - 40) < 1e-9);
  history.add({ frame: 81, ms: 1, tests: 1, fps: 0 });
  assert.ok(Math.abs(history.meanFps() - 40) < 1e-9, 'a pause is no frame');
});

test('nothing moved, no mean', () => {
  assert.ok(Number.isNaN(new History().meanFps()));
});
