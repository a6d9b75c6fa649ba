/** On which cells are techniques compared, if the scene says none? */
import type { Parameters, Technique } from '../protocol.ts';

/**
 * The size that the form shows is everybody's. Where it shows none (a technique without cells, or 0), a
 * technique that can chooses for itself; the study's grid, which cannot, gets what the study found best:
 * cells a little larger than the largest object, so that it misses none.
 */
export function cellsToCompare(scene: Parameters, watched: Technique | undefined): (technique: Technique) => number {
  const isShown = watched?.takesCell === true && scene.cellSize > 0;
  const roomy = Math.min(Math.ceil(scene.maxSize) + 1, Math.max(scene.width, scene.height));
  return ({ choosesCell }) => (isShown ? scene.cellSize : choosesCell ? 0 : roomy);
}
