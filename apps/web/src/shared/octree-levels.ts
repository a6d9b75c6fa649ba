/** Names and colors of the levels of an octree. */
import { STYLES } from './chart/lines.ts';
import { t } from './i18n/translate.ts';

/** Levels with a color of their own; the last color is that of all deeper ones. */
export function coloredLevels(counts: readonly number[] | null): { level: number; count: number }[] {
  const [all, last] = [counts ?? [], STYLES - 1];
  return all.slice(0, STYLES).map((count, level) => ({
    level,
    count: level < last ? count : all.slice(last).reduce((sum, each) => sum + each, 0),
  }));
}

export function levelName(level: number): string {
  return t(level === 0 ? 'level.root' : level === STYLES - 1 ? 'level.deepest' : 'level.one', { level });
}
