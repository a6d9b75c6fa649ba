/**
 * Circle rasterization.
 *
 * One stamp per diameter, computed once. Pixel coverage is counted on a fine grid, for soft edges
 * without the blur of subpixel positions: circles are aligned to whole pixels, as boxes are.
 */

import { channels } from './packed-color.ts';
import type { Stamp } from './raster.ts';

/** Sample points across a pixel: 64 shades. */
const RASTER = 8;

/** A disc with an edge of another color, `thick` pixels inwards (0: one color). */
export function disc(diameter: number, thick: number, edge: number, inside: number): Stamp {
  const pixels = new Uint32Array(diameter * diameter);
  const outer = coverage(diameter, diameter / 2);
  const inner = coverage(diameter, Math.max(0, diameter / 2 - thick));
  const [edgeColor, insideColor] = [channels(edge), channels(inside)];
  for (let at = 0; at < pixels.length; at += 1) {
    const within = inner[at] as number;
    const around = (outer[at] as number) - within;
    let packed = Math.round((around + within) * 255) << 24;
    for (let channel = 0; channel < 3; channel += 1) {
      const value =
        around * (edgeColor[channel] as number) + within * (insideColor[channel] as number);
      packed |= Math.floor(value) << (8 * channel);
    }
    pixels[at] = packed;
  }
  return { size: diameter, pixels };
}

/** Coverage of each pixel of a square by the inscribed disc, 0 to 1. */
function coverage(square: number, radius: number): Float32Array {
  const covered = new Float32Array(square * square);
  const middle = square / 2;
  for (let row = 0; row < square; row += 1) {
    for (let column = 0; column < square; column += 1) {
      covered[row * square + column] = coverageOfPixel(column - middle, row - middle, radius);
    }
  }
  return covered;
}

function coverageOfPixel(left: number, top: number, radius: number): number {
  const far = Math.hypot(
    Math.max(Math.abs(left), Math.abs(left + 1)),
    Math.max(Math.abs(top), Math.abs(top + 1)),
  );
  if (far <= radius) return 1;
  let within = 0;
  for (let row = 0; row < RASTER; row += 1) {
    const y = top + (row + 0.5) / RASTER;
    for (let column = 0; column < RASTER; column += 1) {
      const x = left + (column + 0.5) / RASTER;
      if (x * x + y * y <= radius * radius) within += 1;
    }
  }
  return within / (RASTER * RASTER);
}
