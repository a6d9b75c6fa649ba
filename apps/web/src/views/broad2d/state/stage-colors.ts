/** Colors of the 2D stage, read from the page's style sheet. */
import { STYLES } from '../../../shared/chart/lines.ts';
import { pageColors } from '../../../shared/page-colors.ts';
import type { Colors } from '../workers/protocol.ts';

/** `_isDark` is unused: it makes callers re-run when the theme changes. */
export function themeColors(_isDark: boolean): Colors {
  const color = pageColors();
  return {
    background: color('--ground'),
    free: color('--free'),
    touching: color('--touching'),
    cells: color('--cells'),
    selected: color('--selected'),
    box: color('--box'),
    text: color('--text'),
    levels: Array.from({ length: STYLES }, (_, level) => color(`--series-${level}`)),
  };
}
