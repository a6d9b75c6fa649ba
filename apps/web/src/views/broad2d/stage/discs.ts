/**
 * What does a circle look like in pixels?
 *
 * A stamp a diameter, made once. How much of a pixel a disc covers is counted on a fine raster, so
 * that edges are soft without ever being blurred by half a pixel: circles sit on whole pixels, as
 * boxes do.
 */

import { channels } from './colours.ts';
import type { Stamp } from './pixels.ts';

/** Points of the raster across a pixel: 64 shades, finer than an eye tells. */
const RASTER = 8;

/** A disc with an edge of another colour, `thick` pixels inwards (0: all of one colour). */
export function disc(diameter: number, thick: number, edge: number, inside: number): Stamp {
  const pixels = new Uint32Array(diameter * diameter);
  const outer = coverage(diameter, diameter / 2);
  const inner = coverage(diameter, Math.max(0, diameter / 2 - thick));
  const [edgeColour, insideColour] = [channels(edge), channels(inside)];
  for (let at = 0; at < pixels.length; at += 1) {
    const within = inner[at] as number;
    const around = (outer[at] as number) - within;
    let packed = Math.round((around + within) * 255) << 24;
    for (let channel = 0; channel < 3; channel += 1) {
      const value =
        around * (edgeColour[channel] as number) + within * (insideColour[channel] as number);
      packed |= Math.floor(value) << (8 * channel);
    }
    pixels[at] = packed;
  }
  return { size: diameter, pixels };
}

/** For every pixel of a square, how much of it lies in a disc about its middle, from 0 to 1. */
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
