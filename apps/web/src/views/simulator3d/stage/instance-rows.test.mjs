import assert from 'node:assert/strict';
import { test } from 'node:test';

import { InstanceRows } from './instance-rows.ts';

const EXTENT = { min: [-2.4, 0, -2.4], max: [2.4, 3, 2.4] };
/** Four walls around a pit, a post, and a dynamic box. */
const BOXES = [
  [2.2, 0, -2.4, 2.4, 1.2, 2.4],
  [-2.4, 0, -2.4, -2.2, 1.2, 2.4],
  [-2.4, 0, 2.2, 2.4, 1.2, 2.4],
  [-2.4, 0, -2.4, 2.4, 1.2, -2.2],
  [1.9, 0, 1.9, 2.1, 2, 2.1],
  [1.9, 0, -2.3, 2, 1.2, 2.3],
];

function picture() {
  const picture = new InstanceRows();
  picture.aBody = 12;
  picture.boxes = new Float32Array(BOXES.flat());
  picture.bodies = new Float32Array(BOXES.length * 12);
  BOXES.forEach((_, body) => (picture.bodies[body * 12 + 11] = body === 5 ? 0 : 2));
  return picture;
}

test('walls that occlude other bodies are translucent, from every side', () => {
  const seenThrough = (eye) => BOXES.map((_, body) => body).filter((body) => picture().hides(body, { eye, extent: EXTENT }));
  assert.deepEqual(seenThrough([9, 6, 12]), [0, 2]);
  assert.deepEqual(seenThrough([-9, 6, -12]), [1, 3]);
  assert.deepEqual(seenThrough([0, 20, 0]), [], 'from above nothing is behind them');
});
