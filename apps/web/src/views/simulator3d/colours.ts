/** In which colours does the stage draw? In those of the page, which only the page's style sheet knows. */
import { pageColours } from '../../shared/page-colours.ts';
import type { Colours } from './protocol.ts';

export function themeColours(isDark: boolean): Colours {
  const colour = pageColours();
  return {
    isDark,
    ground: colour('--ground'),
    floor: colour('--floor'),
    line: colour('--floor-line'),
    text: colour('--text'),
    muted: colour('--edge'),
    free: colour('--free'),
    touching: colour('--touching'),
    box: colour('--box'),
    normal: colour('--normal'),
    octree: colour('--cells'),
    island: colour('--island'),
    selected: colour('--selected'),
    shapes: [
      colour('--shape-sphere'),
      colour('--shape-box'),
      colour('--shape-capsule'),
      colour('--shape-hull'),
      colour('--shape-other'),
    ],
    still: colour('--shape-still'),
  };
}
