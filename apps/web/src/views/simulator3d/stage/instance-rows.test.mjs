import assert from 'node:assert/strict';
import { test } from 'node:test';

import { InstanceRows } from './instance-rows.ts';
import { A_LEVEL } from './shaders.ts';

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

/** Dynamic boxes of 1 m, stacked without gaps or with one below each. */
function stack(count, gap) {
  const picture = new InstanceRows();
  picture.aBody = 12;
  picture.boxes = new Float32Array(Array.from({ length: count }, (_, body) => [-0.5, body * (1 + gap) + gap, -0.5, 0.5, body * (1 + gap) + gap + 1, 0.5]).flat());
  picture.bodies = new Float32Array(count * 12);
  picture.grounds = new Float32Array([0, 0, 0, 0, 1, 0]);
  return picture;
}

/** A link to a tower opened with its top cut off. */
test('a tower is framed to its top, bodies in the air are not', () => {
  const top = (picture) => Math.max(...picture.boxesInView(null).map(({ max }) => max[1]));
  assert.equal(top(stack(9, 0)), 9);
  assert.ok(top(stack(9, 1)) < 4);
});

test('the whole scene includes bodies in the air', () => {
  const boxes = stack(9, 1).boxesInView(null, true);
  assert.equal(Math.max(...boxes.map(({ max }) => max[1])), 18);
  assert.equal(Math.min(...boxes.map(({ min }) => min[1])), 0, 'from the floor on');
});

test('bounds below a floor are framed and drawn from the floor on', () => {
  const bounds = { min: [-3, -1, -3], max: [3, 6, 3] };
  assert.equal(Math.min(...stack(2, 0).boxesInView(bounds).map(({ min }) => min[1])), 0);
  assert.deepEqual(picture().visibleBounds(bounds), bounds, 'without a floor they are whole');
});

test('walls that occlude other bodies are translucent, from every side', () => {
  const seenThrough = (eye) => BOXES.map((_, body) => body).filter((body) => picture().hides(body, { eye, extent: EXTENT }));
  assert.deepEqual(seenThrough([9, 6, 12]), [0, 2]);
  assert.deepEqual(seenThrough([-9, 6, -12]), [1, 3]);
  assert.deepEqual(seenThrough([0, 20, 0]), [], 'from above nothing is behind them');
});

test('the level of a body in the octree is beside its shape, and unbounded bodies have none', () => {
  const stacked = stack(3, 0);
  const texels = new Float32Array(16 * 1024);
  const codes = (levels) => {
    stacked.lookAtLevels({ at: 1, version: 1, octreeLevels: () => new Float32Array(levels ?? []) }, levels !== null);
    stacked.texels(texels, 0, { eye: [9, 9, 9], extent: EXTENT });
    return [0, 1, 2].map((body) => texels[body * 16 + 3]);
  };
  const [one, other, third] = codes(null);
  assert.deepEqual(codes([0, 4, -1]), [one + A_LEVEL, other + 5 * A_LEVEL, third]);
  assert.deepEqual(codes(null), [one, other, third]);
});
