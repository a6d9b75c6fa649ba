import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawOrder } from './draw-order.ts';

/** Objects with these sizes, at arbitrary positions. */
function objectsOf(...sizes) {
  return Float32Array.from(sizes.flatMap(([width, height], object) => [10 * object, -3, width, height]));
}

test('larger objects come first, equal ones by index', () => {
  const objects = objectsOf([2, 2], [90000, 90000], [0.1, 0.1], [4, 1], [50, 50], [0.1, 0.2]);
  assert.deepEqual([...drawOrder(objects)], [1, 4, 0, 3, 5, 2]);
  assert.equal(drawOrder(new Float32Array()).length, 0);
});

test('each of many objects occurs once', () => {
  const sizes = Array.from({ length: 5000 }, (_, object) => [1 + ((object * 7919) % 97) / 8, 3]);
  const order = drawOrder(objectsOf(...sizes));
  assert.equal(new Set(order).size, sizes.length);
  for (let place = 1; place < order.length; place += 1) {
    assert.ok(sizes[order[place - 1]][0] >= sizes[order[place]][0]);
  }
});
