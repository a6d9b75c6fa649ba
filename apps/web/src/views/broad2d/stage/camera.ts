/**
 * View transform of the 2D stage.
 *
 * Pure functions from view to view. Invariant: the center of the stage shows a point of the world,
 * and the scale stays within its limits; a view that exists is valid.
 */

export interface Extent {
  width: number;
  height: number;
}

/** A world point is displayed at `point * scale + offset`, in CSS pixels. */
export interface View {
  scale: number;
  x: number;
  y: number;
  /** The whole world is fitted to the stage, and stays fitted when the stage is resized. */
  fitted: boolean;
}

/** Space for the world's border and for marks around objects at the border. */
const MARGIN = 6;
/** Tolerance of the fitted scale: zooming in and out again returns to the fitted view. */
const NEARLY = 1.001;
/** Maximum scale in CSS pixels per unit; an object of size 1 is then 64 px wide. */
const MAX_SCALE = 64;
/** For worlds that fit at more than the maximum scale: maximum relative to the fitted scale. */
const MAX_SCALE_OVER_FIT = 8;

export function fit(world: Extent, stage: Extent): View {
  const scale = fittingScale(world, stage);
  return {
    scale,
    x: (stage.width - world.width * scale) / 2,
    y: (stage.height - world.height * scale) / 2,
    fitted: true,
  };
}

export function panned(view: View, dx: number, dy: number, world: Extent, stage: Extent): View {
  if (!Number.isFinite(dx) || !Number.isFinite(dy)) return view;
  return clamped({ ...view, x: view.x + dx, y: view.y + dy, fitted: false }, world, stage);
}

/**
 * Keeps the world point under (x, y) fixed, unless the view is clamped at the world's edge. Zooming
 * out ends at the whole world.
 */
export function zoomed(
  view: View,
  factor: number,
  x: number,
  y: number,
  world: Extent,
  stage: Extent,
): View {
  if (!(factor > 0) || !Number.isFinite(factor * x * y)) return view;
  const [min, max] = scaleLimits(world, stage);
  const scale = Math.min(max, view.scale * factor);
  if (factor < 1 && scale <= min * NEARLY) return fit(world, stage);
  const grown = scale / view.scale;
  const moved = { scale, x: x - (x - view.x) * grown, y: y - (y - view.y) * grown, fitted: false };
  return clamped(moved, world, stage);
}

/** Keeps the center fixed; a fitted view is fitted again. */
export function resized(view: View, world: Extent, from: Extent, to: Extent): View {
  if (view.fitted) return fit(world, to);
  const [min, max] = scaleLimits(world, to);
  const scale = Math.min(max, Math.max(min, view.scale));
  const middle = toWorld(view, from.width / 2, from.height / 2);
  const x = to.width / 2 - middle.x * scale;
  const y = to.height / 2 - middle.y * scale;
  return clamped({ scale, x, y, fitted: false }, world, to);
}

/** Whether zooming out further is impossible, even if the view was moved. */
export function isWhole(view: View, world: Extent, stage: Extent): boolean {
  return view.scale <= fittingScale(world, stage) * NEARLY;
}

export function toWorld(view: View, x: number, y: number): { x: number; y: number } {
  return { x: (x - view.x) / view.scale, y: (y - view.y) / view.scale };
}

function clamped(view: View, world: Extent, stage: Extent): View {
  return {
    ...view,
    x: clampedOffset(view.x, world.width * view.scale, stage.width),
    y: clampedOffset(view.y, world.height * view.scale, stage.height),
  };
}

function clampedOffset(offset: number, worldOnStage: number, stage: number): number {
  const middle = stage / 2;
  return Math.min(middle, Math.max(middle - worldOnStage, offset));
}

function scaleLimits(world: Extent, stage: Extent): [number, number] {
  const fitting = fittingScale(world, stage);
  return [fitting, Math.max(MAX_SCALE, fitting * MAX_SCALE_OVER_FIT)];
}

function fittingScale(world: Extent, stage: Extent): number {
  // A stage without layout has no size; one pixel keeps all numbers finite.
  const across = Math.max(1, stage.width - 2 * MARGIN) / world.width;
  const down = Math.max(1, stage.height - 2 * MARGIN) / world.height;
  return Math.min(across, down);
}
