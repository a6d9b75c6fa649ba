import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Passes } from './passes.ts';

/** Three bodies of one triangle and two edges each. */
const simulator = {
  drawnTriangles: () => Uint32Array.from({ length: 9 }, (_, corner) => corner),
  drawnRanges: () => new Uint32Array([0, 3, 0, 4, 3, 3, 4, 4, 6, 3, 8, 4]),
};
const ENDS = 12;

/** What is filled, what is thin, and the edges of that. */
function taken({ triangles, filled, edges, ends }) {
  return [triangles.slice(0, filled), triangles.slice(filled), edges.slice(0, ends)].map((list) => [...list]);
}

test('every body is drawn once, filled or thin with its edges, and anew when it begins to fly', () => {
  const passes = new Passes();
  passes.shape(simulator, ENDS);
  assert.equal(passes.bodies, 3);
  assert.ok(passes.sort(Uint8Array.of(0, 0, 0)));
  assert.deepEqual(taken(passes), [[0, 1, 2, 3, 4, 5, 6, 7, 8], [], []]);
  assert.ok(passes.sort(Uint8Array.of(0, 1, 0)));
  assert.deepEqual(taken(passes), [[0, 1, 2, 6, 7, 8], [3, 4, 5], [4, 5, 6, 7]]);
  assert.ok(!passes.sort(Uint8Array.of(0, 1, 0)), 'what is the same is not uploaded again');
  passes.shape(simulator, ENDS);
  assert.ok(passes.sort(Uint8Array.of(0, 1, 0)), 'other shapes are sorted anew');
});

test('the triangles of one body are found wherever they were sorted to', () => {
  const passes = new Passes();
  passes.shape(simulator, ENDS);
  for (const flies of [[0, 0, 0], [0, 1, 0], [1, 1, 0], [1, 1, 1]]) {
    passes.sort(Uint8Array.from(flies));
    const of = (body) => {
      const [first, count] = passes.trianglesOf(body);
      return [...passes.triangles.slice(first, first + count)];
    };
    assert.deepEqual([0, 1, 2].map(of), [[0, 1, 2], [3, 4, 5], [6, 7, 8]], `${flies}`);
  }
  assert.deepEqual(passes.trianglesOf(7), [0, 0], 'who is not there has none');
});
