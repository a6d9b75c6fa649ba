/**
 * Drawing of the 2D stage.
 *
 * Back to front: background, border, cells, free objects, touching ones, boxes, marks of missed
 * pairs; small objects above large ones. These are rasterized into an image; marks around circles
 * and the selected object are drawn over it as lines. All coordinates are display pixels, so that a
 * line of one CSS pixel is sharp at every pixel ratio.
 */

import type { Size } from '../../../shared/stage/worker-or-main-thread.ts';
import type { Colors } from '../workers/protocol.ts';
import type { Extent, View } from './camera.ts';
import { disc } from './circle-raster.ts';
import { drawOrder } from './draw-order.ts';
import { type Context, drawInspected, outlineCircles } from './overlay.ts';
import { INITIAL_COLORS, type ObjectColors, type Palette, paletteOf } from './palette.ts';
import { Raster, type Stamp } from './raster.ts';
import { type OnDisplay, PixelBounds } from './pixel-bounds.ts';
import { type Inspection, MISSED, TOUCHING } from '../workers/world-run.ts';

export interface Picture {
  world: Extent;
  view: View;
  circles: boolean;
  objects: Float32Array;
  flags: Uint8Array;
  cells: Float32Array | null;
  boxes: boolean;
  /** Boxes around groups, four numbers each. */
  groups: Float32Array | null;
  /** Level of each object, by which it is colored. */
  levels: Uint8Array | null;
  inspected: Inspection | null;
  /** Selected permanently, or only hovered. */
  kept: boolean;
}

/**
 * Larger circles are rasterized row by row: few fit on a display, and their stamps would take
 * memory.
 */
const LARGEST_STAMP = 64;
/** Touching objects below this size, in display pixels, are drawn in one color. */
const MIN_EDGED = 6;
/** Cells with fewer CSS pixels between their lines are drawn as a tint. */
const MIN_CELL = 3;

interface BoxStyle extends ObjectColors {
  thick: number;
  /** Smaller objects are drawn without an edge, in `small`. */
  least: number;
}

export class StageRenderer {
  readonly #canvas: OffscreenCanvas | HTMLCanvasElement;
  readonly #context: Context;
  #colors: Colors = INITIAL_COLORS;
  #palette: Palette;
  #pixels = new Raster(1, 1);
  #image = imageOf(this.#pixels);
  #ratio = 1;
  /** One CSS pixel, rounded to whole display pixels. */
  #line = 1;
  /** By style, and there by diameter. */
  #stamps = new Map<BoxStyle, Stamp[]>();
  /** Styles of free and touching objects: without levels, and by level. */
  #styles: Record<'free' | 'touching', { plain: BoxStyle; levels: BoxStyle[] }>;
  /** Draw order of the current world. */
  #ordered: { world: Extent; order: Uint32Array } | null = null;

  constructor(canvas: OffscreenCanvas | HTMLCanvasElement, size: Size) {
    // Opaque: the browser need not blend the stage with the page.
    const context = canvas.getContext('2d', { alpha: false }) as Context | null;
    if (context === null) throw new Error('this browser gives no 2D canvas');
    this.#canvas = canvas;
    this.#context = context;
    this.#palette = paletteOf(context, this.#colors);
    this.#styles = this.#newStyles();
    this.resize(size);
  }

  resize(size: Size): void {
    const { pixelWidth: width, pixelHeight: height } = size;
    this.#canvas.width = width;
    this.#canvas.height = height;
    this.#pixels = new Raster(width, height);
    this.#image = imageOf(this.#pixels);
    this.#ratio = size.width > 0 ? width / size.width : 1;
    this.#line = Math.max(1, Math.round(this.#ratio));
    this.#renewStyles();
  }

  set colors(colors: Colors) {
    this.#colors = colors;
    this.#palette = paletteOf(this.#context, colors);
    this.#renewStyles();
  }

  paint(picture: Picture): void {
    const { scale, x, y } = picture.view;
    const ratio = this.#ratio;
    const on = { scale: scale * ratio, x: x * ratio, y: y * ratio, line: this.#line };
    this.#paintWorld(picture, on);
    for (const touching of [0, TOUCHING]) {
      if (picture.circles) this.#paintCircles(picture, on, touching);
      else this.#paintBoxes(picture, on, touching);
    }
    if (picture.boxes) this.#outlineBoxes(picture, on);
    if (picture.groups !== null) this.#outlineGroups(picture.groups, on);
    const missed = this.#markMissed(picture, on);

    this.#context.putImageData(this.#image, 0, 0);
    outlineCircles(this.#context, new PixelBounds(picture.objects, on), missed, 2 * on.line, this.#palette.css.missed);
    if (picture.inspected !== null) {
      const { inspected, kept } = picture;
      drawInspected(this.#context, picture.objects, on, inspected, kept, this.#palette.css);
    }
  }

  /** Before the first world: the background. An unpainted canvas is black in every theme. */
  paintNothing(): void {
    this.#pixels.clear(this.#palette.outside);
    this.#context.putImageData(this.#image, 0, 0);
  }

  #paintWorld(picture: Picture, on: OnDisplay): void {
    const { background, outside, border } = this.#palette;
    const left = Math.round(on.x);
    const top = Math.round(on.y);
    const right = Math.round(picture.world.width * on.scale + on.x);
    const bottom = Math.round(picture.world.height * on.scale + on.y);
    const line = on.line;
    this.#pixels.clear(outside);
    this.#pixels.fill(left, top, right, bottom, background);
    if (picture.cells !== null) this.#paintCells(picture.cells, on, left, top);
    this.#pixels.frame(left - line, top - line, right + line, bottom + line, line, border);
  }

  /** Neighboring cells round their common edge alike, so their lines fall on the same pixels. */
  #paintCells(cells: Float32Array, on: OnDisplay, worldLeft: number, worldTop: number): void {
    const pixels = this.#pixels;
    const line = on.line;
    const least = MIN_CELL * line;
    for (let at = 0; at + 3 < cells.length; at += 4) {
      const left = Math.round((cells[at] as number) * on.scale + on.x);
      const top = Math.round((cells[at + 1] as number) * on.scale + on.y);
      const right = Math.round((cells[at + 2] as number) * on.scale + on.x);
      const bottom = Math.round((cells[at + 3] as number) * on.scale + on.y);
      if (right < 0 || bottom < 0 || left >= pixels.width || top >= pixels.height) continue;
      if (right - left < least || bottom - top < least) {
        pixels.fill(left, top, right, bottom, this.#palette.cellsFaint);
      } else {
        // At the world's edge the line lies under the border, not beside it.
        const from = left === worldLeft ? left - line : left;
        const first = top === worldTop ? top - line : top;
        pixels.frame(from, first, right + line, bottom + line, line, this.#palette.cells);
      }
    }
  }

  #paintBoxes(picture: Picture, on: OnDisplay, touching: number): void {
    const { objects, flags } = picture;
    const pixels = this.#pixels;
    const styleOf = this.#styleOf(touching, picture);
    const place = new PixelBounds(objects, on);
    const order = this.#orderOf(picture);
    for (let next = 0; next < order.length; next += 1) {
      const object = order[next] as number;
      if (((flags[object] as number) & TOUCHING) !== touching) continue;
      const { edge, thick, least, inside, small } = styleOf(object);
      place.put(object);
      const { left, top, right, bottom } = place;
      if (right - left < least || bottom - top < least) {
        pixels.fill(left, top, right, bottom, small);
      } else {
        pixels.fill(left, top, right, bottom, edge);
        pixels.fill(left + thick, top + thick, right - thick, bottom - thick, inside);
      }
    }
  }

  #paintCircles(picture: Picture, on: OnDisplay, touching: number): void {
    const { objects, flags } = picture;
    const pixels = this.#pixels;
    const styleOf = this.#styleOf(touching, picture);
    const place = new PixelBounds(objects, on);
    const order = this.#orderOf(picture);
    for (let next = 0; next < order.length; next += 1) {
      const object = order[next] as number;
      if (((flags[object] as number) & TOUCHING) !== touching) continue;
      const style = styleOf(object);
      place.put(object);
      const { left, top, right, bottom } = place;
      const diameter = right - left;
      if (diameter > LARGEST_STAMP) {
        pixels.disc(left, top, diameter, style.thick, style.edge, style.inside);
      } else if (diameter <= 2 * on.line) {
        pixels.fill(left, top, right, bottom, style.small);
      } else {
        pixels.stamp(left, top, this.#stamp(diameter, style));
      }
    }
  }

  #outlineBoxes({ objects, flags }: Picture, on: OnDisplay): void {
    const { width, height } = this.#pixels;
    const place = new PixelBounds(objects, on);
    for (let object = 0; object < flags.length; object += 1) {
      place.put(object);
      const { left, top, right, bottom } = place;
      if (right < 0 || bottom < 0 || left >= width || top >= height) continue;
      this.#pixels.dashes(left, top, right, bottom, on.line, 3 * on.line, this.#palette.box);
    }
  }

  /** Solid, one line outside the group, so that the boxes of its objects stay visible. */
  #outlineGroups(groups: Float32Array, on: OnDisplay): void {
    const { line } = on;
    for (let at = 0; at + 3 < groups.length; at += 4) {
      const left = Math.round((groups[at] as number) * on.scale + on.x) - 2 * line;
      const top = Math.round((groups[at + 1] as number) * on.scale + on.y) - 2 * line;
      const right = Math.round((groups[at + 2] as number) * on.scale + on.x) + 2 * line;
      const bottom = Math.round((groups[at + 3] as number) * on.scale + on.y) + 2 * line;
      if (right < 0 || bottom < 0 || left >= this.#pixels.width || top >= this.#pixels.height) continue;
      this.#pixels.frame(left, top, right, bottom, line, this.#palette.group);
    }
  }

  /** Draws frames around boxes; returns the circles to be framed. */
  #markMissed(picture: Picture, on: OnDisplay): number[] {
    const circles: number[] = [];
    const { objects, flags } = picture;
    const thick = 2 * on.line;
    const place = new PixelBounds(objects, on);
    for (let object = 0; object < flags.length; object += 1) {
      if (((flags[object] as number) & MISSED) === 0) continue;
      if (picture.circles) {
        circles.push(object);
        continue;
      }
      place.put(object);
      const { left, top, right, bottom } = place;
      const { missed } = this.#palette;
      this.#pixels.frame(left - thick, top - thick, right + thick, bottom + thick, thick, missed);
    }
    return circles;
  }

  /** A plain array: an iterator costs a quarter of the time of fifty thousand boxes. */
  #orderOf({ world, objects }: Picture): Uint32Array {
    if (this.#ordered?.world !== world) this.#ordered = { world, order: drawOrder(objects) };
    return this.#ordered.order;
  }

  /** Free objects: edge and light interior. Touching objects: filled, with a seam to the next. */
  #newStyles(): Record<'free' | 'touching', { plain: BoxStyle; levels: BoxStyle[] }> {
    const line = this.#line;
    const { free, touching, levels } = this.#palette;
    const open = (colors: ObjectColors): BoxStyle => ({ ...colors, thick: line, least: 2 * line + 1 });
    const filled = (colors: ObjectColors): BoxStyle => ({ ...colors, thick: 1, least: MIN_EDGED });
    return {
      free: { plain: open(free), levels: levels.map((level) => open(level.free)) },
      touching: { plain: filled(touching), levels: levels.map((level) => filled(level.touching)) },
    };
  }

  #renewStyles(): void {
    this.#styles = this.#newStyles();
    this.#stamps.clear();
  }

  /** Style of each object, or of all. The deepest levels share the last color. */
  #styleOf(touching: number, { levels }: Picture): (object: number) => BoxStyle {
    const { plain, levels: byLevel } = this.#styles[touching !== 0 ? 'touching' : 'free'];
    if (levels === null) return () => plain;
    const last = byLevel.length - 1;
    return (object) => byLevel[Math.min(levels[object] ?? 0, last)] ?? plain;
  }

  #stamp(diameter: number, style: BoxStyle): Stamp {
    let stamps = this.#stamps.get(style);
    if (stamps === undefined) this.#stamps.set(style, (stamps = []));
    return (stamps[diameter] ??= disc(diameter, diameter < style.least ? 0 : style.thick, style.edge, style.inside));
  }
}

function imageOf(pixels: Raster): ImageData {
  const bytes = new Uint8ClampedArray(pixels.packed.buffer);
  return new ImageData(bytes, pixels.width, pixels.height);
}
