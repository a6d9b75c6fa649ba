/**
 * Draw order: large objects first, so that none hides a smaller one.
 *
 * Sizes are constant while a world runs, so the order is computed once per world.
 */

/** Sort keys hold the object index below this factor and the size above it. */
const OBJECTS = 2 ** 21;

/** Object indices by decreasing size; equal sizes by increasing index. */
export function drawOrder(objects: Float32Array): Uint32Array {
  const count = objects.length >> 2;
  const areas = new Float32Array(count);
  for (let object = 0; object < count; object += 1) {
    areas[object] = (objects[4 * object + 2] as number) * (objects[4 * object + 3] as number);
  }
  // Sorting numbers is several times as fast as sorting with a comparator. The bit patterns of
  // non-negative floats are ordered like the floats, and together with the object index they just
  // fit in a double.
  const bits = new Uint32Array(areas.buffer);
  const keys = new Float64Array(count);
  for (let object = 0; object < count; object += 1) {
    keys[object] = (bits[object] as number) * OBJECTS + (OBJECTS - 1 - object);
  }
  keys.sort();
  const order = new Uint32Array(count);
  for (let place = 0; place < count; place += 1) {
    order[count - 1 - place] = OBJECTS - 1 - ((keys[place] as number) % OBJECTS);
  }
  return order;
}
