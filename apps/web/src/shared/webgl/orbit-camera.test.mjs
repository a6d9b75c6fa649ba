import assert from 'node:assert/strict';
import { test } from 'node:test';

import { OrbitCamera } from './orbit-camera.ts';

const STAGES = [[755, 690], [514, 475], [350, 322], [1100, 500]];
const WORLDS = [
  [{ min: [-3, 0, -3], max: [3, 5, 3] }],
  [{ min: [-13.6, 0, -3.5], max: [0.5, 9.3, 3.5] }],
  [{ min: [0, 0, 0], max: [0.3, 0.3, 0.3] }],
  [{ min: [-100, 0, 50], max: [-80, 1, 70] }, { min: [-90, 0, 60], max: [-89, 30, 61] }],
  // The initial view of a preset: a pit, and the bodies that roll over its edge.
  [{ min: [-2.5, 0, -2.5], max: [2.5, 2.4, 2.5] }, { min: [2.6, 0, 2.4], max: [3.8, 0.5, 3.4] }],
];

test('the home position fits everything beside tools and legend', () => {
  for (const [width, height] of STAGES) {
    for (const boxes of WORLDS) {
      const camera = new OrbitCamera();
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

/**
 * The camera started at the distance of the world's bounds, and the next wheel notch set it back to
 * 2 km.
 */
test('the home distance is within the zoom limits, however wide the world is', () => {
  const camera = new OrbitCamera();
  camera.resize(755, 690);
  camera.home([{ min: [-9e4, 0, -9e4], max: [9e4, 9e4, 9e4] }]);
  const far = camera.distance;
  camera.zoom(1 / 1.25);
  assert.ok(camera.distance > far, `${camera.distance} after ${far}`);
  camera.home([{ min: [-9e8, 0, -9e8], max: [9e8, 9e8, 9e8] }]);
  const place = camera.place;
  camera.place = place;
  assert.deepEqual(camera.place, place, 'round trip');
});

test('a dragged point moves at constant depth', () => {
  const camera = new OrbitCamera();
  camera.resize(600, 400);
  camera.place = [0.7, -0.4, 12, 1, 2, 3];
  const dragged = [2.5, 1, 4];
  const { x, y } = camera.on(dragged);
  camera.atDepthOf(dragged, x, y).forEach((part, axis) => assert.ok(Math.abs(part - dragged[axis]) < 1e-9));
  const moved = camera.on(camera.atDepthOf(dragged, x + 50, y - 20));
  assert.ok(Math.hypot(moved.x - x - 50, moved.y - y + 20) < 1e-9);
  assert.ok(Math.abs(camera.across(...dragged) - x / 600) < 1e-9);
});

test('a push away from the eye along the ground has no vertical or lateral component', () => {
  const camera = new OrbitCamera();
  camera.resize(600, 400);
  camera.place = [0.7, 0.4, 12, 1, 2, 3];
  const away = camera.level({ across: 0, up: 0, away: 1 });
  const by = camera.target.map((part, axis) => part + away[axis]);
  assert.ok(Math.abs(camera.on(by).x - 300) < 1e-9 && camera.on(by).y < 200 && away[1] === 0);
  assert.ok(Math.abs(Math.hypot(...away) - 1) < 1e-12);
  assert.deepEqual(camera.level({ across: 0, up: 1, away: 0 }).map((part) => part + 0), [0, 1, 0]);
});

function corners({ min, max }) {
  return Array.from({ length: 8 }, (_, corner) => [0, 1, 2].map((axis) => (corner & (1 << axis) ? max : min)[axis]));
}

test('projection, picking and the WebGL matrix agree', () => {
  const camera = new OrbitCamera();
  camera.resize(600, 400);
  camera.place = [0.7, -0.4, 12, 1, 2, 3];
  const point = [2.5, 1, 4];
  const { x, y } = camera.on(point);
  const direction = camera.direction(x, y);
  const away = point.map((part, axis) => part - camera.eye[axis]);
  const long = Math.hypot(...away);
  direction.forEach((part, axis) => assert.ok(Math.abs(part - away[axis] / long) < 1e-9));
  const matrix = camera.matrix();
  const clip = [0, 1, 2, 3].map((row) => [...point, 1].reduce((sum, part, column) => sum + part * matrix[4 * column + row], 0));
  assert.ok(Math.abs(((clip[0] / clip[3] + 1) / 2) * 600 - x) < 1e-9);
  assert.ok(Math.abs(((1 - clip[1] / clip[3]) / 2) * 400 - y) < 1e-9);
  assert.ok(Math.abs(clip[2] / clip[3]) < 1);
});
