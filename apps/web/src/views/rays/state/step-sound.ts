/** Sound of a traversal step: one note per box, lower for larger boxes; noise for the final hit. */
import { sound } from '../../../shared/sound.ts';
import { VISIT } from '../workers/protocol.ts';
import type { TraversalPlayback } from './traversal-playback.ts';

/** `size` is that of the mesh; `hits` if the traversal ends at a triangle. */
export function soundStep(playback: TraversalPlayback, step: number, size: number, hits: boolean): void {
  const rows = playback.traversal.value?.rows;
  const at = (step - 1) * VISIT.size;
  if (rows === undefined || step <= 0) return;
  const long = Math.max(...[0, 1, 2].map((axis) => rows[at + VISIT.max + axis]! - rows[at + axis]!));
  const share = 1 + Math.log2(Math.max(1e-6, long / size)) / 8;
  const wall = hits && step === playback.count.value;
  sound.strike([{ across: 0.5, mass: Math.min(1, Math.max(0, share)), force: Math.min(1, 0.02 + rows[at + VISIT.tests]! / 16), wall }]);
}
