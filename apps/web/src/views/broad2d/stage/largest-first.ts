/**
 * In which order are objects drawn, so that none hides a smaller one?
 *
 * Sizes stay as they are while a world moves, so an order holds as long as its world.
 */

/** Room for the number of an object in a sort key; what is above it is the size. */
const OBJECTS = 2 ** 21;

/** The numbers of the objects, the largest first, equal ones as they are numbered. */
export function largestFirst(objects: Float32Array): Uint32Array {
  const count = objects.length >> 2;
  const areas = new Float32Array(count);
  for (let object = 0; object < count; object += 1) {
    areas[object] = (objects[4 * object + 2] as number) * (objects[4 * object + 3] as number);
  }
  // Numbers are sorted several times as fast as by a comparison. The bits of a float that is not negative
  // are in the order of the floats, and with the object's number below them they just fit a double.
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
