/** Cell sizes for a comparison whose scene sets none. */
import type { Parameters, Technique } from '../../workers/protocol.ts';

/**
 * A cell size in the form applies to all techniques. Without one (a technique without cells, or 0),
 * adaptive techniques choose their own; the study's grid, which cannot, gets cells slightly larger
 * than the largest object, the published optimum, with which it misses no pair.
 */
export function defaultCellSizes(scene: Parameters, watched: Technique | undefined): (technique: Technique) => number {
  const isShown = watched?.takesCell === true && scene.cellSize > 0;
  const roomy = Math.min(Math.ceil(scene.maxSize) + 1, Math.max(scene.width, scene.height));
  return ({ choosesCell }) => (isShown ? scene.cellSize : choosesCell ? 0 : roomy);
}
