/** Which colour has each thing on the stage, made of the few that the page gives? */

import type { Colours } from '../protocol.ts';
import { css, mixed, parsed } from './colours.ts';

/** Of the dark theme; what is drawn before the page has said its colours. */
export const FIRST_COLOURS: Colours = {
  background: '#0e1116',
  free: '#56b4e9',
  touching: '#ff6a3d',
  cells: '#e69f00',
  selected: '#f0e442',
  box: '#cc79a7',
  text: '#e6edf3',
};

/** Packed colours for the image, and CSS for what is drawn over it. */
export interface Palette {
  background: number;
  outside: number;
  border: number;
  cells: number;
  /** Where cells are too small for lines between them. */
  cellsFaint: number;
  freeEdge: number;
  freeInside: number;
  /** A free object too small for an edge and an inside looks like both from afar. */
  freeSmall: number;
  touching: number;
  /** Parts one touching object from the next. */
  touchingEdge: number;
  missed: number;
  box: number;
  css: Record<Outlined, string>;
}

/** What is also drawn as lines. */
type Outlined = 'background' | 'touching' | 'missed' | 'selected';

export function paletteOf(context: CanvasFillStrokeStyles, colours: Colours): Palette {
  const colour = (name: keyof Colours): number =>
    parsed(context, colours[name], FIRST_COLOURS[name]);
  const background = colour('background');
  const [free, touching, cells, text] = [
    colour('free'),
    colour('touching'),
    colour('cells'),
    colour('text'),
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
    box: colour('box'),
    css: {
      background: css(background),
      touching: css(touching),
      missed: css(text),
      selected: css(colour('selected')),
    },
  };
}
