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
};

/** Packed colors for the image, CSS colors for the overlay. */
export interface Palette {
  background: number;
  outside: number;
  border: number;
  cells: number;
  /** For cells too small for lines between them. */
  cellsFaint: number;
  freeEdge: number;
  freeInside: number;
  /** For a free object too small for edge and interior: their average. */
  freeSmall: number;
  touching: number;
  /** Separates adjacent touching objects. */
  touchingEdge: number;
  missed: number;
  box: number;
  group: number;
  css: Record<Outlined, string>;
}

/** Colors that are also used for lines. */
type Outlined = 'background' | 'touching' | 'missed' | 'selected';

export function paletteOf(context: CanvasFillStrokeStyles, colors: Colors): Palette {
  const color = (name: keyof Colors): number =>
    parsed(context, colors[name], INITIAL_COLORS[name]);
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
    freeEdge: free,
    freeInside: mixed(background, free, 0.2),
    freeSmall: mixed(background, free, 0.75),
    touching,
    touchingEdge: mixed(background, touching, 0.6),
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
