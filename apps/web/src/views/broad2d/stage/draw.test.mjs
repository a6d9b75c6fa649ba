import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsed } from './colours.ts';
import { Painter } from './draw.ts';
import { FIRST_COLOURS, paletteOf } from './palette.ts';
import { MISSED, TOUCHING } from './run.ts';

const SIZE = 400;

globalThis.ImageData ??= class {
  constructor(data, width) {
    Object.assign(this, { data, width });
  }
};

/** A canvas that keeps the last image. Lines over it are not looked at here. */
function canvas() {
  const context = { fillStyle: '', strokeStyle: '', image: null, lines: 0 };
  for (const name of ['beginPath', 'moveTo', 'arc', 'stroke']) context[name] = () => (context.lines += 1);
  context.putImageData = (image) => (context.image = image);
  const made = { context, getContext: () => context };
  context.canvas = made;
  return made;
}

/** What is painted of these objects, as a function that tells the colour of a pixel. */
function painted(objects, flags, { circles = false, scale = 1, on = canvas() } = {}) {
  const size = { width: SIZE, height: SIZE, pixelWidth: SIZE, pixelHeight: SIZE };
  new Painter(on, size).paint({
    world: { width: SIZE, height: SIZE },
    view: { scale, x: 0, y: 0, fitted: true },
    circles,
    objects: Float32Array.from(objects.flat()),
    flags: Uint8Array.from(flags),
    cells: null,
    boxes: false,
    inspected: null,
    kept: false,
  });
  const pixels = new Uint32Array(on.context.image.data.buffer);
  return (x, y) => pixels[Math.floor(y) * SIZE + Math.floor(x)];
}

const PALETTE = paletteOf({ fillStyle: '' }, FIRST_COLOURS);

test('a large object hides no small one that touches it, boxes and circles, near and far', () => {
  const [small, large] = [[90, 96, 8, 8], [40, 40, 120, 120]];
  for (const circles of [false, true]) {
    for (const scale of [0.5, 1, 2.4]) {
      for (const objects of [[small, large], [large, small]]) {
        const colour = painted(objects, [TOUCHING, TOUCHING], { circles, scale });
        const what = `${circles ? 'circles' : 'boxes'} at ${scale}, the small one ${objects[0] === small ? 'first' : 'last'}`;
        // At half the size it is 4 pixels wide, and all of one colour.
        if (scale >= 1) assert.notEqual(colour(90 * scale, 100 * scale), PALETTE.touching, what);
        assert.equal(colour(94 * scale, 100 * scale), PALETTE.touching, what);
        assert.equal(colour(130 * scale, 100 * scale), PALETTE.touching, what);
      }
    }
  }
});

test('touching ones lie over free ones, whatever their sizes', () => {
  const [free, touching] = [[100, 100, 20, 20], [60, 60, 100, 100]];
  for (const circles of [false, true]) {
    const colour = painted([free, touching], [0, TOUCHING], { circles });
    assert.equal(colour(110, 110), PALETTE.touching);
  }
});

test('who is in a missed pair has a frame around it, outside its own edge', () => {
  const colour = painted([[100, 100, 20, 20], [200, 200, 20, 20]], [MISSED, 0]);
  const text = parsed({ fillStyle: '' }, FIRST_COLOURS.text, FIRST_COLOURS.text);
  for (const [x, y] of [[98, 98], [99, 110], [121, 121], [110, 120]]) assert.equal(colour(x, y), text, `${x},${y}`);
  assert.equal(colour(100, 110), PALETTE.freeEdge);
  assert.notEqual(colour(199, 210), text);
  const on = canvas();
  painted([[100, 100, 20, 20], [200, 200, 20, 20]], [MISSED, 0], { circles: true, on });
  assert.equal(on.context.lines, 4, 'one circle around one circle');
});
