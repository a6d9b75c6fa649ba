/** Colors of the rays stage, read from the page's style sheet. */
import type { Colors } from '../workers/protocol.ts';

export function themeColors(isDark: boolean): Colors {
  const styles = getComputedStyle(document.documentElement);
  const color = (name: string): string => styles.getPropertyValue(name).trim();
  return {
    isDark,
    ground: color('--ground'),
    mesh: color('--shape-hull'),
    text: color('--text'),
    muted: color('--muted'),
    cells: color('--cells'),
    visited: color('--visited-now'),
    selected: color('--selected'),
    hit: color('--touching'),
    normal: color('--normal'),
    tested: color('--box'),
    clear: color('--free'),
  };
}
