import assert from 'node:assert/strict';
import { test } from 'node:test';

import { OrbitCamera } from '../../../shared/webgl/orbit-camera.ts';
import { presetCameraOf } from './preset-cameras.ts';

test('the initial camera of a preset frames its boxes, on wide stages and on phones', () => {
  for (const name of ['boxes', 'hulls', 'dominoes', 'cradle', 'wrecking', 'study-pile', 'study-positions', 'thousand']) {
    const { boxes, side } = presetCameraOf(name);
    assert.ok(boxes !== undefined, name);
    for (const [width, height] of [[755, 690], [350, 322], [1100, 500]]) {
      const camera = new OrbitCamera();
      camera.resize(width, height);
      camera.home(boxes, side);
      for (const { min, max } of boxes) {
        assert.ok(camera.on(min) !== null && camera.on(max) !== null, `${name} on ${width} × ${height}`);
      }
    }
  }
});
