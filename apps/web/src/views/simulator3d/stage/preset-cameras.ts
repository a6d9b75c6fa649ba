/**
 * Initial camera of each preset.
 *
 * For presets whose first frame does not show where things will happen: towers that fall into a
 * pit, a ball that swings. Lengths in meters, angles in radians. All others are framed from the
 * default side, as they start.
 */
import type { Extent, Side } from '../../../shared/webgl/orbit-camera.ts';

export interface PresetCamera {
  side?: Side;
  /** Boxes to be framed. */
  boxes?: readonly Extent[];
}

/** A pit is seen from above. */
const PIT: Side = { yaw: 0.62, pitch: 0.72 };

/** The basin of Lasch's study, with its walls. */
const BASIN: readonly Extent[] = [{ min: [-4.5, -1, -4.5], max: [4.5, 4, 4.5] }];

/**
 * A semicircle of dominoes, and on its left the ball that pushes the first one and bounces back.
 */
const ARC: readonly Extent[] = [
  { min: [-7, 0, -1.2], max: [-5.7, 1, 1] },
  { min: [5.7, 0, -0.4], max: [6.3, 1, 1] },
  { min: [-4.6, 0, 4], max: [4.6, 1, 4.6] },
  { min: [-2.5, 0, 5.6], max: [2.5, 1, 6.3] },
];

const HOMES: Record<string, PresetCamera> = {
  spheres: { side: { yaw: 0.35, pitch: 0.36 } },
  // Some bodies roll over the edge and come to rest there.
  boxes: { side: PIT, boxes: [{ min: [-2.5, 0, -2.5], max: [2.5, 2.4, 2.5] }, { min: [2.6, 0, 2.4], max: [3.8, 0.5, 3.4] }] },
  hulls: { side: PIT, boxes: [{ min: [-2.3, 0, -2.3], max: [2.3, 2, 2.3] }] },
  pyramid: { side: { yaw: 0.3, pitch: 0.2 } },
  dominoes: { side: { yaw: 0.1, pitch: 0.62 }, boxes: ARC },
  cradle: { side: { yaw: 0.3, pitch: 0.16 }, boxes: [{ min: [-2.3, 1.2, -0.75], max: [2.3, 3.1, 0.75] }] },
  cards: { side: { yaw: 0.3, pitch: 0.22 } },
  wrecking: { side: { yaw: 0.24, pitch: 0.2 }, boxes: [{ min: [-13.6, 0, -3.5], max: [0.5, 9.3, 3.5] }] },
  'study-pile': { side: PIT, boxes: BASIN },
  // Including the bottom of the bounds, into which bodies sink.
  'study-positions': { side: PIT, boxes: [...BASIN, { min: [-6, -2, -6], max: [6, -2, 6] }] },
  thousand: { boxes: [{ min: [-3.6, 0, -3.4], max: [4.4, 5, 4] }] },
};

export function presetCameraOf(preset: string | null): PresetCamera {
  return (preset === null ? undefined : HOMES[preset]) ?? {};
}
