/** Halves of the stage, in which a comparison shows its two worlds with the same camera. */
import type { Size } from '../../../shared/stage/worker-or-main-thread.ts';
import type { Region } from './renderer.ts';

/** CSS pixels of the canvas below which the second world is shown below the first one, not beside it. */
const NARROW = 518;

interface Place {
  x: number;
  y: number;
}

function isNarrow({ width }: Pick<Size, 'width'>): boolean {
  return width < NARROW;
}

export function halfSize(size: Size): Size {
  const { width, height } = size;
  return isNarrow(size) ? { ...size, height: height / 2 } : { ...size, width: width / 2 };
}

/** The half at a position of the canvas, and the position in it. */
export function inHalf(size: Size, { x, y }: Place): Place & { isSecond: boolean } {
  const half = halfSize(size);
  const isSecond = isNarrow(size) ? y >= half.height : x >= half.width;
  if (!isSecond) return { x, y, isSecond };
  return isNarrow(size) ? { x, y: y - half.height, isSecond } : { x: x - half.width, y, isSecond };
}

/** Regions of the drawing buffer, whose origin is at the bottom. */
export function halfRegions(size: Size): readonly [Region, Region] {
  return isNarrow(size)
    ? [
        [0, 0.5, 1, 0.5],
        [0, 0, 1, 0.5],
      ]
    : [
        [0, 0, 0.5, 1],
        [0.5, 0, 0.5, 1],
      ];
}
