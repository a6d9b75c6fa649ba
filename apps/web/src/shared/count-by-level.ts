/** Objects per level of an octree. Imported by workers: without texts of the page. */

/** Number of objects on each level, from the root to the deepest; negative levels are none. */
export function countByLevel(levels: Iterable<number> | null): number[] | null {
  if (levels === null) return null;
  const counts: number[] = [];
  for (const level of levels) {
    if (level < 0) continue;
    while (counts.length <= level) counts.push(0);
    counts[level] = (counts[level] ?? 0) + 1;
  }
  return counts;
}
