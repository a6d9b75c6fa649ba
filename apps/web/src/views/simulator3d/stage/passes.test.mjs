import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BufferGeometry, LineSegments, Mesh } from 'three';

import { Passes } from './passes.ts';

/** Three bodies of one triangle and two edges each. */
const simulator = {
  draw: () => undefined,
  drawnVertices: () => new Float32Array(9 * 7),
  drawnTriangles: () => Uint32Array.from({ length: 9 }, (_, corner) => corner),
  drawnEdges: () => new Float32Array(12 * 4),
  drawnRanges: () => new Uint32Array([0, 3, 0, 4, 3, 3, 4, 4, 6, 3, 8, 4]),
};

function taken({ visible, geometry }) {
  return visible ? [...geometry.index.array.slice(0, geometry.drawRange.count)] : [];
}

test('every body is drawn once, filled or thin with its edges, and anew when it begins to fly', () => {
  const [filled, thin, whole] = Array.from({ length: 3 }, () => new Mesh(new BufferGeometry()));
  const edges = new LineSegments(new BufferGeometry());
  const passes = new Passes(filled, thin, edges);
  passes.shape(simulator, [whole]);
  assert.equal(passes.bodies, 3);
  passes.sort(Uint8Array.of(0, 0, 0));
  assert.deepEqual([filled, thin, edges].map(taken), [[0, 1, 2, 3, 4, 5, 6, 7, 8], [], []]);
  passes.sort(Uint8Array.of(0, 1, 0));
  assert.deepEqual([filled, thin, edges].map(taken), [[0, 1, 2, 6, 7, 8], [3, 4, 5], [4, 5, 6, 7]]);
  const { version } = filled.geometry.index;
  passes.sort(Uint8Array.of(0, 1, 0));
  assert.equal(filled.geometry.index.version, version, 'what is the same is not uploaded again');
  assert.equal(whole.geometry.index.count, 9, 'what marks one body can take any');
  assert.deepEqual(passes.trianglesOf(1), [3, 3]);
  passes.shape(simulator, [whole]);
  passes.sort(Uint8Array.of(0, 1, 0));
  assert.deepEqual(taken(thin), [3, 4, 5], 'other shapes are sorted anew');
});
