/**
 * Line overlay of the 2D stage.
 *
 * The selected object with its box, its cells and the objects it was tested against; marks around
 * circles. Straight edges lie between whole pixels, where a line of their width is sharp.
 */

import type { Palette } from './palette.ts';
import { type OnDisplay, PixelBounds } from './pixel-bounds.ts';
import type { Inspection } from '../workers/world-run.ts';

export type Context = OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D;

/** Gap between a selected object and its mark, in CSS pixels. */
const ROOM = 3;
/**
 * Above this count lines are drawn fainter, down to a minimum: with brute force they must not hide
 * the world.
 */
const CLEAR_LINES = 60;
const FAINTEST = 0.25;
/** A path of many curves costs more than several paths of few. */
const CURVES_A_PATH = 64;

/** Strokes an edge of `thick` pixels around each of these circles. */
export function outlineCircles(context: Context, place: PixelBounds, objects: number[], thick: number, color: string): void {
  context.strokeStyle = color;
  context.lineWidth = thick;
  const { width, height } = context.canvas;
  let inPath = 0;
  const finish = (): void => {
    if (inPath > 0) context.stroke();
    inPath = 0;
  };
  for (const object of objects) {
    place.put(object);
    const { left, top, right, bottom } = place;
    if (right < -thick || bottom < -thick || left > width + thick || top > height + thick) continue;
    if (inPath === 0) context.beginPath();
    const radius = (right - left + thick) / 2;
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    context.moveTo(x + radius, y);
    context.arc(x, y, radius, 0, 2 * Math.PI);
    inPath += 1;
    if (inPath === CURVES_A_PATH) finish();
  }
  finish();
}

export function drawInspected(
  context: Context,
  objects: Float32Array,
  on: OnDisplay,
  inspected: Inspection,
  kept: boolean,
  css: Palette['css'],
): void {
  context.save();
  fillCells(context, on, inspected, css);
  const place = new PixelBounds(objects, on);
  const mark = markAround(place, inspected.object, on);
  // Lines end at the mark, so that the object stays visible.
  context.save();
  context.beginPath();
  context.rect(0, 0, context.canvas.width, context.canvas.height);
  context.rect(...mark);
  context.clip('evenodd');
  const touching = new Set(inspected.touching);
  const only = inspected.tested.filter((other) => !touching.has(other));
  drawLines(context, place, on, inspected.object, only, css.selected, 1);
  drawLines(context, place, on, inspected.object, inspected.touching, css.touching, 2);
  context.setLineDash([4 * on.line, 3 * on.line]);
  drawLines(context, place, on, inspected.object, inspected.missed, css.missed, 2);
  context.restore();
  drawMark(context, on, mark, kept, css);
  context.restore();
}

function fillCells(
  context: Context,
  on: OnDisplay,
  inspected: Inspection,
  css: Palette['css'],
): void {
  context.beginPath();
  for (const [minX, minY, maxX, maxY] of inspected.cells) {
    const left = Math.round(minX * on.scale + on.x);
    const top = Math.round(minY * on.scale + on.y);
    const width = Math.round(maxX * on.scale + on.x) - left;
    const height = Math.round(maxY * on.scale + on.y) - top;
    context.rect(left + on.line / 2, top + on.line / 2, width, height);
  }
  context.fillStyle = css.selected;
  context.globalAlpha = 0.14;
  context.fill();
  context.globalAlpha = 1;
  context.lineWidth = on.line;
  context.strokeStyle = css.selected;
  context.stroke();
}

/** From the center of one object to the centers of others, each with a dot. */
function drawLines(
  context: Context,
  place: PixelBounds,
  on: OnDisplay,
  from: number,
  others: number[],
  color: string,
  width: number,
): void {
  const start = middleOf(place, from);
  const dot = (1 + width / 2) * on.line;
  context.globalAlpha = Math.max(FAINTEST, Math.min(1, CLEAR_LINES / others.length));
  context.lineWidth = width * on.line;
  context.strokeStyle = color;
  context.fillStyle = color;
  context.beginPath();
  for (const other of others) {
    const end = middleOf(place, other);
    context.moveTo(start.x, start.y);
    context.lineTo(end.x, end.y);
  }
  context.stroke();
  for (const other of others) {
    const end = middleOf(place, other);
    context.fillRect(Math.round(end.x - dot), Math.round(end.y - dot), 2 * dot, 2 * dot);
  }
  context.globalAlpha = 1;
}

type Rectangle = [left: number, top: number, width: number, height: number];

function markAround(place: PixelBounds, object: number, on: OnDisplay): Rectangle {
  place.put(object);
  const { left, top, right, bottom } = place;
  const room = ROOM * on.line;
  return [left - room, top - room, right - left + 2 * room, bottom - top + 2 * room];
}

/**
 * A thick frame with a background-colored seam on both sides: it contrasts with any color. Dashed
 * while the object is only hovered.
 */
function drawMark(
  context: Context,
  on: OnDisplay,
  mark: Rectangle,
  kept: boolean,
  css: Palette['css'],
): void {
  context.lineWidth = 4 * on.line;
  context.strokeStyle = css.background;
  context.strokeRect(...mark);
  if (!kept) context.setLineDash([4 * on.line, 3 * on.line]);
  context.lineWidth = 2 * on.line;
  context.strokeStyle = css.selected;
  context.strokeRect(...mark);
}

function middleOf(place: PixelBounds, object: number): { x: number; y: number } {
  place.put(object);
  return { x: (place.left + place.right) / 2, y: (place.top + place.bottom) / 2 };
}
