import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Camera } from './camera.ts';
import { homeOf } from './homes.ts';

const STAGES = [[755, 690], [514, 475], [350, 322], [1100, 500]];
const WORLDS = [
  [{ min: [-3, 0, -3], max: [3, 5, 3] }],
  [{ min: [-13.6, 0, -3.5], max: [0.5, 9.3, 3.5] }],
  [{ min: [0, 0, 0], max: [0.3, 0.3, 0.3] }],
  [{ min: [-100, 0, 50], max: [-80, 1, 70] }, { min: [-90, 0, 60], max: [-89, 30, 61] }],
  ...['boxes', 'hulls', 'cradle', 'wrecking', 'study-pile', 'thousand'].map((name) => homeOf(name).boxes ?? []),
];

test('at home everything is in view, beside tools and legend, and as large as it fits', () => {
  for (const [width, height] of STAGES) {
    for (const boxes of WORLDS) {
      const camera = new Camera();
      camera.resize(width, height);
      camera.home(boxes);
      const places = boxes.flatMap(corners).map((corner) => camera.on(corner));
      assert.ok(places.every((place) => place !== null), `out of the picture: ${JSON.stringify(boxes)}`);
      const [left, right] = [Math.min(...places.map(({ x }) => x)), Math.max(...places.map(({ x }) => x))];
      const [top, bottom] = [Math.min(...places.map(({ y }) => y)), Math.max(...places.map(({ y }) => y))];
      const below = width < 480 ? 16 : 46;
      assert.ok(left > 19 && right < width - 19 && top > 45 && bottom < height - below + 1, `${[left, right, top, bottom]} of ${[width, height]}`);
      const room = Math.min(width - 40 - (right - left), height - 46 - below - (bottom - top));
      assert.ok(room < 2, `${room} px of room are left on ${[width, height]}`);
    }
  }
});

/** It was as far as the world asked for, and the next turn of the wheel threw it back to two kilometres. */
test('home is no farther than the view can be zoomed, however wide the world is', () => {
  const camera = new Camera();
  camera.resize(755, 690);
  camera.home([{ min: [-9e4, 0, -9e4], max: [9e4, 9e4, 9e4] }]);
  const far = camera.distance;
  camera.zoom(1 / 1.25);
  assert.ok(camera.distance > far, `${camera.distance} after ${far}`);
  camera.home([{ min: [-9e8, 0, -9e8], max: [9e8, 9e8, 9e8] }]);
  const place = camera.place;
  camera.place = place;
  assert.deepEqual(camera.place, place, 'a link tells it as it is');
});

function corners({ min, max }) {
  return Array.from({ length: 8 }, (_, corner) => [0, 1, 2].map((axis) => (corner & (1 << axis) ? max : min)[axis]));
}
