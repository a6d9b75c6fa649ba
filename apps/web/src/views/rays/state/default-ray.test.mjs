import assert from 'node:assert/strict';
import { test } from 'node:test';

import { aimed, defaultRayOf } from './default-ray.ts';
import { unitFor } from './float-text.ts';

/** A mesh of separate triangles. */
function meshOf(...triangles) {
  const corners = triangles.flat();
  return { vertices: new Float32Array(corners.flatMap((corner) => [...corner, 0, 0, 1])), triangles: new Uint32Array(corners.map((_, place) => place)) };
}

/** A torus around the vertical axis, with a hole in the middle. */
function torus(rings = 24, sides = 12) {
  const at = (ring, side) => {
    const [around, across] = [(2 * Math.PI * ring) / rings, (2 * Math.PI * side) / sides];
    const radius = 10 + 2 * Math.cos(across);
    return [radius * Math.cos(around), 2 * Math.sin(across), radius * Math.sin(around)];
  };
  const triangles = [];
  for (let ring = 0; ring < rings; ring += 1) {
    for (let side = 0; side < sides; side += 1) {
      const [a, b, c, d] = [at(ring, side), at(ring + 1, side), at(ring + 1, side + 1), at(ring, side + 1)];
      triangles.push([a, b, c], [a, c, d]);
    }
  }
  return meshOf(...triangles);
}

const bounds = { min: [-12, -2, -12], max: [12, 2, 12] };
const unit = unitFor(Math.hypot(24, 4, 24));

test('a default ray that hits the mesh is kept', () => {
  const ray = { origin: [0, 5, 0], direction: [0, -5, 0] };
  assert.equal(aimed(ray, meshOf([[-1, 0, -1], [1, 0, -1], [0, 0, 2]]), unit), ray);
});

test('a default ray through the hole of a torus is aimed at its nearest triangle', () => {
  const ray = defaultRayOf(bounds, unit);
  const mesh = torus();
  const { origin, direction } = aimed(ray, mesh, unit);
  assert.deepEqual(origin, ray.origin);
  assert.notDeepEqual(direction, ray.direction);
  // It is itself a ray that hits.
  assert.deepEqual(aimed({ origin, direction }, mesh, unit), { origin, direction });
});

test('a triangle smaller than the unit is hit, and one without area is not aimed at', () => {
  const tiny = [[3.00001, 0.00001, 3], [3.00002, 0.00001, 3], [3.00001, 0.00002, 3.00001]];
  const flat = [[0, 0, 0], [1, 0, 0], [2, 0, 0]];
  const ray = { origin: [0, 9, 0], direction: [0, -9, 0] };
  const found = aimed(ray, meshOf(flat, tiny), 0.1);
  assert.notDeepEqual(found.direction, ray.direction);
  assert.equal(aimed(found, meshOf(tiny), 0.1), found);
  assert.equal(aimed(ray, meshOf(flat), 0.1), ray, 'nothing to aim at');
});
