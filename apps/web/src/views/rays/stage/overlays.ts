/** Lines and points over the mesh: ray, visited boxes, hit, line of sight. */
import { toGlColor } from '../../../shared/webgl/gl-color.ts';
import type { LineList } from '../../../shared/webgl/line-list.ts';
import type { Vector } from '../../../shared/vector.ts';
import type { Colors, Shown } from '../workers/protocol.ts';
import type { Mesh, Overlays } from './renderer.ts';

/** Maximum number of previously visited boxes: more would hide the mesh. */
const MAX_VISITED = 160;
/** Maximum number of triangles tested in one step. */
const MAX_TESTED = 4000;

export function drawBoxes(list: LineList, boxes: Float32Array, colors: Colors): void {
  list.clear();
  const glColor = toGlColor(colors.cells);
  for (let at = 0; at + 6 <= boxes.length; at += 6) drawBox(list, boxes, at, glColor);
}

export function drawOverlays(lists: Overlays, shown: Shown, mesh: Mesh, colors: Colors): void {
  const { within, above, faces, points } = lists;
  [within, above, faces, points].forEach((list) => list.clear());
  const size = Math.hypot(...mesh.max.map((greatest, axis) => greatest - mesh.min[axis]!));
  drawTested(within, shown.tested, mesh, colors);
  const last = shown.visited.length - 6;
  for (let at = Math.max(0, last - 6 * MAX_VISITED); at < last; at += 6) drawBox(within, shown.visited, at, toGlColor(colors.cells));
  if (last >= 0) drawBox(above, shown.visited, last, toGlColor(colors.visited));
  if (shown.ray !== null) drawRay(lists, shown, size, colors);
  if (shown.sight !== null) drawSight(lists, shown.sight, colors);
  if (shown.placed !== null) points.add(...shown.placed, toGlColor(colors.selected));
}

function drawBox(list: LineList, boxes: Float32Array, at: number, glColor: readonly [number, number, number]): void {
  list.box([boxes[at]!, boxes[at + 1]!, boxes[at + 2]!], [boxes[at + 3]!, boxes[at + 4]!, boxes[at + 5]!], glColor);
}

/** Edges of the triangles that are tested. */
function drawTested(list: LineList, tested: Uint32Array, { vertices, triangles }: Mesh, colors: Colors): void {
  const glColor = toGlColor(colors.tested);
  for (const triangle of tested.subarray(0, MAX_TESTED)) {
    const corners = [0, 1, 2].map((corner) => {
      const at = 6 * (triangles[3 * triangle + corner] ?? 0);
      return [vertices[at]!, vertices[at + 1]!, vertices[at + 2]!];
    });
    corners.forEach((corner, place) => list.line(corner, corners[(place + 1) % 3]!, glColor));
  }
}

function drawRay({ above, faces, points }: Overlays, { ray, t, at }: Shown, size: number, colors: Colors): void {
  if (ray === null) return;
  const { origin, direction } = ray;
  const long = Math.hypot(...direction);
  if (!(long > 0)) return;
  const text = toGlColor(colors.text);
  const along = (by: number): Vector => [0, 1, 2].map((axis) => origin[axis]! + direction[axis]! * by) as Vector;
  const hit = at?.point ?? null;
  // The part beyond the hit, or the whole ray: as far as the mesh may extend.
  const [from, end] = [t ?? 0, (t ?? 0) + (hit === null ? 3 * size : 0.35 * size) / long];
  if (hit !== null) above.line(origin, hit, text);
  above.line(along(from), along(end), hit === null ? text : toGlColor(colors.muted), hit !== null);
  points.add(...origin, text);
  if (at === null) return;
  for (const corner of at.corners) faces.add(...corner, toGlColor(colors.hit));
  above.arrow(at.point, at.normal.map((part) => part * 0.07 * size), toGlColor(colors.normal), 0.018 * size);
  points.add(...at.point, toGlColor(colors.hit));
}

function drawSight({ above, faces, points }: Overlays, { ends, result }: NonNullable<Shown['sight']>, colors: Colors): void {
  const [a, b] = ends;
  const clear = toGlColor(colors.clear);
  const block = result?.at ?? null;
  if (block === null) {
    above.line(a, b, clear);
  } else {
    above.line(a, block.point, clear);
    above.line(block.point, b, toGlColor(colors.hit), true);
    for (const corner of block.corners) faces.add(...corner, toGlColor(colors.hit));
    points.add(...block.point, toGlColor(colors.hit));
  }
  points.add(...a, clear);
  points.add(...b, block === null ? clear : toGlColor(colors.muted));
}
