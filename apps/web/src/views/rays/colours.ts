/** In which colours does the stage draw? In those of the page, which only the page's style sheet knows. */
import type { Colours } from './protocol.ts';

export function themeColours(isDark: boolean): Colours {
  const styles = getComputedStyle(document.documentElement);
  const colour = (name: string): string => styles.getPropertyValue(name).trim();
  return {
    isDark,
    ground: colour('--ground'),
    mesh: colour('--shape-hull'),
    text: colour('--text'),
    muted: colour('--muted'),
    cells: colour('--cells'),
    selected: colour('--selected'),
    hit: colour('--touching'),
    normal: colour('--normal'),
    tested: colour('--box'),
    clear: colour('--free'),
  };
}
