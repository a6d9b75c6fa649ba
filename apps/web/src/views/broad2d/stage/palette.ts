/** Palette of the 2D stage, derived from a few colors of the page. */

import type { Colors } from '../workers/protocol.ts';
import { css, mixed, parsed } from './packed-color.ts';

/** Dark theme; used before the page has sent its colors. */
export const INITIAL_COLORS: Colors = {
  background: '#0e1116',
  free: '#56b4e9',
  touching: '#ff6a3d',
  cells: '#e69f00',
  selected: '#f0e442',
  box: '#cc79a7',
  text: '#e6edf3',
  levels: ['#e6edf3', '#ff6a3d', '#56b4e9', '#cc79a7', '#00d19a', '#f0e442', '#a79bff', '#e69f00'],
};

/** Colors of an object: of its edge and interior, and for one too small for both. */
export interface ObjectColors {
  edge: number;
  inside: number;
  small: number;
}

/** Packed colors for the image, CSS colors for the overlay. */
export interface Palette {
  background: number;
  outside: number;
  border: number;
  cells: number;
  /** For cells too small for lines between them. */
  cellsFaint: number;
  free: ObjectColors;
  touching: ObjectColors;
  /** The same by level of an octree. */
  levels: { free: ObjectColors; touching: ObjectColors }[];
  missed: number;
  box: number;
  group: number;
  css: Record<Outlined, string>;
}

/** Colors that are also used for lines. */
type Outlined = 'background' | 'touching' | 'missed' | 'selected';

export function paletteOf(context: CanvasFillStrokeStyles, colors: Colors): Palette {
  const color = (name: Exclude<keyof Colors, 'levels'>): number => parsed(context, colors[name], INITIAL_COLORS[name]);
  const background = color('background');
  const [free, touching, cells, text] = [
    color('free'),
    color('touching'),
    color('cells'),
    color('text'),
  ];
  return {
    background,
    outside: mixed(background, text, 0.07),
    border: mixed(background, text, 0.45),
    cells: mixed(background, cells, 0.4),
    cellsFaint: mixed(background, cells, 0.18),
    free: freeColors(background, free),
    touching: touchingColors(background, touching),
    levels: INITIAL_COLORS.levels.map((initial, level) => {
      const own = parsed(context, colors.levels[level] ?? initial, initial);
      return { free: freeColors(background, own), touching: touchingColors(background, own) };
    }),
    missed: text,
    box: color('box'),
    group: color('selected'),
    css: {
      background: css(background),
      touching: css(touching),
      missed: css(text),
      selected: css(color('selected')),
    },
  };
}

/** An edge and a light interior; a small object has their average. */
function freeColors(background: number, color: number): ObjectColors {
  return { edge: color, inside: mixed(background, color, 0.2), small: mixed(background, color, 0.75) };
}

/** Filled; the edge separates adjacent objects. */
function touchingColors(background: number, color: number): ObjectColors {
  return { edge: mixed(background, color, 0.6), inside: color, small: color };
}
