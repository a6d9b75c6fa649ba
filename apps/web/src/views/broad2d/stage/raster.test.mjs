import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channels, mixed, packed } from './packed-color.ts';
import { disc } from './circle-raster.ts';
import { Raster } from './raster.ts';

const BLACK = packed(0, 0, 0);
const RED = packed(255, 0, 0);
const WHITE = packed(255, 255, 255);

/** One letter per pixel, as visible on the display. */
function seen(pixels, letters = new Map([[BLACK, '.'], [RED, '#'], [WHITE, 'o']])) {
  const rows = [];
  for (let row = 0; row < pixels.height; row += 1) {
    const line = pixels.packed.subarray(row * pixels.width, (row + 1) * pixels.width);
    rows.push([...line].map((color) => letters.get(color) ?? '?').join(''));
  }
  return rows;
}

function black(width, height) {
  const pixels = new Raster(width, height);
  pixels.clear(BLACK);
  return pixels;
}

test('a rectangle covers exactly its pixels', () => {
  const pixels = black(6, 4);
  pixels.fill(1, 1, 4, 3, RED);
  assert.deepEqual(seen(pixels), ['......', '.###..', '.###..', '......']);
});

test('long and short rectangles are filled alike', () => {
  const pixels = black(60, 3);
  pixels.fill(5, 1, 55, 2, RED);
  assert.equal(seen(pixels)[1], `${'.'.repeat(5)}${'#'.repeat(50)}${'.'.repeat(5)}`);
});

test('everything is clipped on all sides', () => {
  for (const [left, top] of [[-2, -2], [3, -2], [-2, 2], [3, 2], [-9, 0], [9, 0], [0, -9], [0, 9]]) {
    const pixels = black(5, 4);
    pixels.fill(left, top, left + 4, top + 4, RED);
    pixels.frame(left, top, left + 4, top + 4, 1, RED);
    pixels.dashes(left, top, left + 4, top + 4, 1, 2, RED);
    pixels.stamp(left, top, { size: 4, pixels: new Uint32Array(16).fill(RED) });
    for (let row = 0; row < 4; row += 1) {
      for (let column = 0; column < 5; column += 1) {
        const inside = column >= left && column < left + 4 && row >= top && row < top + 4;
        const color = pixels.packed[row * 5 + column];
        assert.equal(color, inside ? RED : BLACK, `${column},${row} of ${left},${top}`);
      }
    }
  }
});

test('a frame has the requested thickness, and is filled if it has no interior', () => {
  const pixels = black(9, 5);
  pixels.frame(0, 0, 5, 5, 1, RED);
  pixels.frame(6, 0, 8, 5, 1, RED);
  assert.deepEqual(seen(pixels), ['#####.##.', '#...#.##.', '#...#.##.', '#...#.##.', '#####.##.']);
});

test('a disc is round and symmetric, with a soft edge', () => {
  for (const diameter of [3, 4, 9, 16, 33]) {
    const { pixels } = disc(diameter, 0, RED, RED);
    const covered = (x, y) => pixels[y * diameter + x] >>> 24;
    let area = 0;
    for (let y = 0; y < diameter; y += 1) {
      for (let x = 0; x < diameter; x += 1) {
        assert.equal(covered(x, y), covered(diameter - 1 - x, y));
        assert.equal(covered(x, y), covered(y, x));
        area += covered(x, y) / 255;
      }
    }
    const circle = (Math.PI * diameter * diameter) / 4;
    assert.ok(Math.abs(area - circle) < 0.02 * circle + 0.1, `${area} of ${circle}`);
    assert.equal(covered(diameter >> 1, diameter >> 1), 255);
  }
});

test('a disc drawn row by row equals the stamp of its size', () => {
  for (const [diameter, thick] of [[20, 1], [65, 2], [130, 3]]) {
    for (const [left, top] of [[3, 2], [-diameter / 2, 5], [150 - diameter, 150 - diameter / 2]].map((at) => at.map(Math.floor))) {
      const [stamped, drawn] = [black(140, 140), black(140, 140)];
      stamped.stamp(left, top, disc(diameter, thick, WHITE, RED));
      drawn.disc(left, top, diameter, thick, WHITE, RED);
      stamped.packed.forEach((color, at) => {
        const [one, other] = [channels(color), channels(drawn.packed[at])];
        const apart = Math.max(...one.map((value, channel) => Math.abs(value - other[channel])));
        assert.ok(apart < 50, `${diameter} at ${left},${top}: ${one} and ${other} at ${at % 140},${Math.floor(at / 140)}`);
      });
    }
  }
});

test('a stamp blends without overflow of a channel', () => {
  for (const beneath of [BLACK, WHITE, packed(12, 200, 97)]) {
    for (const over of [RED, WHITE, packed(250, 251, 252)]) {
      const pixels = new Raster(9, 9);
      pixels.clear(beneath);
      pixels.stamp(0, 0, disc(9, 1, over, over));
      for (const color of pixels.packed) {
        assert.equal(color >>> 24, 255);
        channels(color).forEach((value, channel) => {
          const ends = [channels(beneath)[channel], channels(over)[channel]].sort((a, b) => a - b);
          assert.ok(value >= ends[0] - 2 && value <= ends[1] + 1, `${value} of ${ends}`);
        });
      }
    }
  }
});

test('colors are mixed by their share', () => {
  assert.equal(mixed(BLACK, WHITE, 0), BLACK);
  assert.equal(mixed(BLACK, WHITE, 1), WHITE);
  assert.equal(mixed(BLACK, RED, 0.2), packed(51, 0, 0));
});
