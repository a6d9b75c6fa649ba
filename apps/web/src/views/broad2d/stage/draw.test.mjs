import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsed } from './packed-color.ts';
import { StageRenderer } from './draw.ts';
import { INITIAL_COLORS, paletteOf } from './palette.ts';
import { MISSED, TOUCHING } from '../workers/world-run.ts';

const SIZE = 400;

globalThis.ImageData ??= class {
  constructor(data, width) {
    Object.assign(this, { data, width });
  }
};

/** A canvas that stores the last image; lines over it are ignored. */
function canvas() {
  const context = { fillStyle: '', strokeStyle: '', image: null, lines: 0 };
  for (const name of ['beginPath', 'moveTo', 'arc', 'stroke']) context[name] = () => (context.lines += 1);
  context.putImageData = (image) => (context.image = image);
  const made = { context, getContext: () => context };
  context.canvas = made;
  return made;
}

/** Draws the objects and returns a function that reads the color of a pixel. */
function painted(objects, flags, { circles = false, scale = 1, levels = null, on = canvas() } = {}) {
  const size = { width: SIZE, height: SIZE, pixelWidth: SIZE, pixelHeight: SIZE };
  new StageRenderer(on, size).paint({
    world: { width: SIZE, height: SIZE },
    view: { scale, x: 0, y: 0, fitted: true },
    circles,
    objects: Float32Array.from(objects.flat()),
    flags: Uint8Array.from(flags),
    cells: null,
    boxes: false,
    groups: null,
    levels,
    inspected: null,
    kept: false,
  });
  const pixels = new Uint32Array(on.context.image.data.buffer);
  return (x, y) => pixels[Math.floor(y) * SIZE + Math.floor(x)];
}

const PALETTE = paletteOf({ fillStyle: '' }, INITIAL_COLORS);

test('a large object hides no small one that touches it, boxes and circles, near and far', () => {
  const [small, large] = [[90, 96, 8, 8], [40, 40, 120, 120]];
  for (const circles of [false, true]) {
    for (const scale of [0.5, 1, 2.4]) {
      for (const objects of [[small, large], [large, small]]) {
        const color = painted(objects, [TOUCHING, TOUCHING], { circles, scale });
        const what = `${circles ? 'circles' : 'boxes'} at ${scale}, the small one ${objects[0] === small ? 'first' : 'last'}`;
        // At half size it is 4 pixels wide and of one color.
        if (scale >= 1) assert.notEqual(color(90 * scale, 100 * scale), PALETTE.touching.inside, what);
        assert.equal(color(94 * scale, 100 * scale), PALETTE.touching.inside, what);
        assert.equal(color(130 * scale, 100 * scale), PALETTE.touching.inside, what);
      }
    }
  }
});

test('touching objects are drawn over free ones, whatever their sizes', () => {
  const [free, touching] = [[100, 100, 20, 20], [60, 60, 100, 100]];
  for (const circles of [false, true]) {
    const color = painted([free, touching], [0, TOUCHING], { circles });
    assert.equal(color(110, 110), PALETTE.touching.inside);
  }
});

test('objects of a missed pair have a frame outside their own edge', () => {
  const color = painted([[100, 100, 20, 20], [200, 200, 20, 20]], [MISSED, 0]);
  const text = parsed({ fillStyle: '' }, INITIAL_COLORS.text, INITIAL_COLORS.text);
  for (const [x, y] of [[98, 98], [99, 110], [121, 121], [110, 120]]) assert.equal(color(x, y), text, `${x},${y}`);
  assert.equal(color(100, 110), PALETTE.free.edge);
  assert.notEqual(color(199, 210), text);
  const on = canvas();
  painted([[100, 100, 20, 20], [200, 200, 20, 20]], [MISSED, 0], { circles: true, on });
  assert.equal(on.context.lines, 4, 'one circle around one circle');
});

test('objects are colored by level, filled where they touch, and the deepest levels share a color', () => {
  const objects = [[20, 20, 40, 40], [100, 20, 40, 40], [180, 20, 40, 40], [260, 20, 40, 40]];
  for (const circles of [false, true]) {
    const color = painted(objects, [TOUCHING, TOUCHING, TOUCHING, 0], { circles, levels: Uint8Array.from([0, 3, 12, 3]) });
    const { levels } = PALETTE;
    assert.deepEqual([40, 120, 200, 280].map((x) => color(x, 40)), [levels[0].touching.inside, levels[3].touching.inside, levels[7].touching.inside, levels[3].free.inside]);
  }
});
