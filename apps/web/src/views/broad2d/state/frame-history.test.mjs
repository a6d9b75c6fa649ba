import assert from 'node:assert/strict';
import { test } from 'node:test';

import { FrameHistory } from './frame-history.ts';

test('the mean frame rate is frames divided by time, not a mean of rates', () => {
  const history = new FrameHistory();
  // One second at 60 FPS, then one at 20: 80 frames in 2 s.
  history.add({ frame: 1, ms: 1, tests: 1, fps: 60 });
  history.add({ frame: 60, ms: 1, tests: 1, fps: 60 });
  history.add({ frame: 80, ms: 1, tests: 1, fps: 20 });
  assert.ok(Math.abs(history.meanFps() - 40) < 1e-9);
  history.add({ frame: 81, ms: 1, tests: 1, fps: 0 });
  assert.ok(Math.abs(history.meanFps() - 40) < 1e-9, 'pauses do not count');
});

test('without motion there is no mean', () => {
  assert.ok(Number.isNaN(new FrameHistory().meanFps()));
});
