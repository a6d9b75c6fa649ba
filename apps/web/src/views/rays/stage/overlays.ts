/** Which lines and points lie over the mesh? The ray, what it visits, what it hits, and what sees what. */
import { inkOf } from '../../../shared/stage/ink.ts';
import type { LineList } from '../../../shared/stage/line-list.ts';
import type { Vector } from '../../../shared/vector.ts';
import type { Colours, Shown } from '../protocol.ts';
import type { Mesh, Overlays } from './painter.ts';

/** Boxes that were visited before, at most: more hide what they show. */
const MOST_VISITED = 160;
/** Triangles that are tested at one moment, at most. */
const MOST_TESTED = 4000;

export function drawBoxes(list: LineList, boxes: Float32Array, colours: Colours): void {
  list.clear();
  const ink = inkOf(colours.cells);
  for (let at = 0; at + 6 <= boxes.length; at += 6) drawBox(list, boxes, at, ink);
}

export function drawOverlays(lists: Overlays, shown: Shown, mesh: Mesh, colours: Colours): void {
  const { within, above, faces, points } = lists;
  [within, above, faces, points].forEach((list) => list.clear());
  const size = Math.hypot(...mesh.max.map((greatest, axis) => greatest - mesh.min[axis]!));
  drawTested(within, shown.tested, mesh, colours);
  const last = shown.visited.length - 6;
  for (let at = Math.max(0, last - 6 * MOST_VISITED); at < last; at += 6) drawBox(within, shown.visited, at, inkOf(colours.cells));
  if (last >= 0) drawBox(above, shown.visited, last, inkOf(colours.selected));
  if (shown.ray !== null) drawRay(lists, shown, size, colours);
  if (shown.sight !== null) drawSight(lists, shown.sight, colours);
  if (shown.placed !== null) points.add(...shown.placed, inkOf(colours.selected));
}

function drawBox(list: LineList, boxes: Float32Array, at: number, ink: readonly [number, number, number]): void {
  list.box([boxes[at]!, boxes[at + 1]!, boxes[at + 2]!], [boxes[at + 3]!, boxes[at + 4]!, boxes[at + 5]!], ink);
}

/** The edges of triangles that get the fine test. */
function drawTested(list: LineList, tested: Uint32Array, { vertices, triangles }: Mesh, colours: Colours): void {
  const ink = inkOf(colours.tested);
  for (const triangle of tested.subarray(0, MOST_TESTED)) {
    const corners = [0, 1, 2].map((corner) => {
      const at = 6 * (triangles[3 * triangle + corner] ?? 0);
      return [vertices[at]!, vertices[at + 1]!, vertices[at + 2]!];
    });
    corners.forEach((corner, place) => list.line(corner, corners[(place + 1) % 3]!, ink));
  }
}

function drawRay({ above, faces, points }: Overlays, { ray, t, at }: Shown, size: number, colours: Colours): void {
  if (ray === null) return;
  const { origin, direction } = ray;
  const long = Math.hypot(...direction);
  if (!(long > 0)) return;
  const text = inkOf(colours.text);
  const along = (by: number): Vector => [0, 1, 2].map((axis) => origin[axis]! + direction[axis]! * by) as Vector;
  const hit = at?.point ?? null;
  // Beyond its hit, or all of it: as far as the mesh may reach.
  const [from, end] = [t ?? 0, (t ?? 0) + (hit === null ? 3 * size : 0.35 * size) / long];
  if (hit !== null) above.line(origin, hit, text);
  above.line(along(from), along(end), hit === null ? text : inkOf(colours.muted), hit !== null);
  points.add(...origin, text);
  if (at === null) return;
  for (const corner of at.corners) faces.add(...corner, inkOf(colours.hit));
  above.arrow(at.point, at.normal.map((part) => part * 0.07 * size), inkOf(colours.normal), 0.018 * size);
  points.add(...at.point, inkOf(colours.hit));
}

function drawSight({ above, faces, points }: Overlays, { ends, result }: NonNullable<Shown['sight']>, colours: Colours): void {
  const [a, b] = ends;
  const clear = inkOf(colours.clear);
  const block = result?.at ?? null;
  if (block === null) {
    above.line(a, b, clear);
  } else {
    above.line(a, block.point, clear);
    above.line(block.point, b, inkOf(colours.hit), true);
    for (const corner of block.corners) faces.add(...corner, inkOf(colours.hit));
    points.add(...block.point, inkOf(colours.hit));
  }
  points.add(...a, clear);
  points.add(...b, block === null ? clear : inkOf(colours.muted));
}
