/**
 * Which part of the world does the stage show?
 *
 * Pure functions from view to view. Promise: whatever is asked, the middle of the stage shows a
 * point of the world, and the scale stays within bounds; a view that exists is sound.
 */

export interface Extent {
  width: number;
  height: number;
}

/** A point of the world lies on the stage at `point * scale + offset`, in CSS pixels. */
export interface View {
  scale: number;
  x: number;
  y: number;
  /** The whole world is shown as large as it can be, and stays so when the stage changes size. */
  fitted: boolean;
}

/** Room for the world's border and for marks around objects that touch it. */
const MARGIN = 6;
/** So little more than the whole is meant to be the whole: in and out again ends where it began. */
const NEARLY = 1.001;
/** How far in: CSS pixels a unit; an object of size 1 then fills a hand's breadth. */
const MOST_SCALE = 64;
/** In a tiny world that fits at more than that, this many times what fits. */
const MOST_OF_FIT = 8;

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
 * The point of the world under (x, y) stays there, unless the view is held at the world's edge. Out ends
 * at the whole world: farther there is nothing to see.
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
  const [least, most] = scaleLimits(world, stage);
  const scale = Math.min(most, view.scale * factor);
  if (factor < 1 && scale <= least * NEARLY) return fit(world, stage);
  const grown = scale / view.scale;
  const moved = { scale, x: x - (x - view.x) * grown, y: y - (y - view.y) * grown, fitted: false };
  return clamped(moved, world, stage);
}

/** The point in the middle stays in the middle; a fitted view is fitted anew. */
export function resized(view: View, world: Extent, from: Extent, to: Extent): View {
  if (view.fitted) return fit(world, to);
  const [least, most] = scaleLimits(world, to);
  const scale = Math.min(most, Math.max(least, view.scale));
  const middle = toWorld(view, from.width / 2, from.height / 2);
  const x = to.width / 2 - middle.x * scale;
  const y = to.height / 2 - middle.y * scale;
  return clamped({ scale, x, y, fitted: false }, world, to);
}

/** There is nothing farther out, though the view may have been moved. */
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
  return [fitting, Math.max(MOST_SCALE, fitting * MOST_OF_FIT)];
}

function fittingScale(world: Extent, stage: Extent): number {
  // A stage that is not laid out yet has no size; one pixel keeps every number finite.
  const across = Math.max(1, stage.width - 2 * MARGIN) / world.width;
  const down = Math.max(1, stage.height - 2 * MARGIN) / world.height;
  return Math.min(across, down);
}
