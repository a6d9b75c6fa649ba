/** Colors of the 3D stage, read from the page's style sheet. */
import { STYLES } from '../../../shared/chart/lines.ts';
import { pageColors } from '../../../shared/page-colors.ts';
import type { Colors } from '../workers/protocol.ts';

export function themeColors(isDark: boolean): Colors {
  const color = pageColors();
  return {
    isDark,
    ground: color('--ground'),
    floor: color('--floor'),
    line: color('--floor-line'),
    text: color('--text'),
    muted: color('--edge'),
    free: color('--free'),
    touching: color('--touching'),
    box: color('--box'),
    normal: color('--normal'),
    octree: color('--cells'),
    island: color('--island'),
    selected: color('--selected'),
    shapes: [
      color('--shape-sphere'),
      color('--shape-box'),
      color('--shape-capsule'),
      color('--shape-hull'),
      color('--shape-other'),
    ],
    still: color('--shape-still'),
    levels: Array.from({ length: STYLES }, (_, level) => color(`--series-${level}`)),
  };
}
