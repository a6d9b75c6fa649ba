import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DrawPasses } from './draw-passes.ts';

/** Three bodies with one triangle and two edges each. */
const simulator = {
  meshTriangles: () => Uint32Array.from({ length: 9 }, (_, corner) => corner),
  meshRanges: () => new Uint32Array([0, 3, 0, 4, 3, 3, 4, 4, 6, 3, 8, 4]),
};
const ENDS = 12;

/** Bodies drawn filled, bodies drawn translucent, and the edges of the latter. */
function taken({ triangles, filled, edges, ends }) {
  return [triangles.slice(0, filled), triangles.slice(filled), edges.slice(0, ends)].map((list) => [...list]);
}

test('every body is drawn once, filled or translucent with its edges, and re-sorted when it starts to fly', () => {
  const passes = new DrawPasses();
  passes.shape(simulator, ENDS);
  assert.equal(passes.bodies, 3);
  assert.ok(passes.sort(Uint8Array.of(0, 0, 0)));
  assert.deepEqual(taken(passes), [[0, 1, 2, 3, 4, 5, 6, 7, 8], [], []]);
  assert.ok(passes.sort(Uint8Array.of(0, 1, 0)));
  assert.deepEqual(taken(passes), [[0, 1, 2, 6, 7, 8], [3, 4, 5], [4, 5, 6, 7]]);
  assert.ok(!passes.sort(Uint8Array.of(0, 1, 0)), 'an unchanged order is not uploaded again');
  passes.shape(simulator, ENDS);
  assert.ok(passes.sort(Uint8Array.of(0, 1, 0)), 'other shapes are sorted again');
});

test('the triangles of a body are found wherever they were sorted to', () => {
  const passes = new DrawPasses();
  passes.shape(simulator, ENDS);
  for (const flies of [[0, 0, 0], [0, 1, 0], [1, 1, 0], [1, 1, 1]]) {
    passes.sort(Uint8Array.from(flies));
    const of = (body) => {
      const [first, count] = passes.trianglesOf(body);
      return [...passes.triangles.slice(first, first + count)];
    };
    assert.deepEqual([0, 1, 2].map(of), [[0, 1, 2], [3, 4, 5], [6, 7, 8]], `${flies}`);
  }
  assert.deepEqual(passes.trianglesOf(7), [0, 0], 'a missing body has none');
});
