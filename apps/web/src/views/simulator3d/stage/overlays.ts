/** Overlays: lines and points that visualize the engine's state. */
import type { GlColor } from '../../../shared/webgl/gl-color.ts';
import type { LineList } from '../../../shared/webgl/line-list.ts';
import type { DisplayOptions } from '../workers/protocol.ts';
import type { Simulator } from '../workers/engine.ts';
import type { Shown } from './renderer.ts';
import { type Floor, type InstanceRows } from './instance-rows.ts';

/** Velocity arrows show the distance traveled in this time. */
const VELOCITY_S = 0.16;
/** Arrows shorter than this share of a head are not drawn. */
const SHORTEST = 0.6;

export type GlColors = Record<'grid' | 'line' | 'text' | 'box' | 'normal' | 'octree' | 'island' | 'contact' | 'selected', GlColor>;

interface Drawn {
  picture: InstanceRows;
  simulator: Simulator;
  display: DisplayOptions;
  glColors: GlColors;
  scene: Shown;
  floor: Floor | null;
  /** Offset of marks above the floor, against z-fighting. */
  hair: number;
  /** Size of an arrowhead. */
  head: number;
}

/** `within` is depth-tested, `above` is not. */
export type Overlays = Record<'within' | 'above' | 'points', LineList>;

export function drawOverlays(lists: Overlays, drawn: Drawn): void {
  const { within, above, points } = lists;
  const { picture, simulator, display, glColors, scene } = drawn;
  const { overlays } = display;
  [within, above, points].forEach((list) => list.clear());
  if (overlays.grid) drawGrid(within, drawn);
  if (scene.bounds !== null) {
    const { min, max } = picture.visibleBounds(scene.bounds);
    within.box(min, max, glColors.line);
  }
  const [joints, pulled] = [picture.joints, simulator.pullPoints()];
  for (let at = 0; at < joints.length; at += 6) {
    within.line([...joints.subarray(at, at + 3)], [...joints.subarray(at + 3, at + 6)], glColors.line);
  }
  if (pulled.length === 6) {
    above.line([...pulled.subarray(0, 3)], [...pulled.subarray(3, 6)], glColors.selected);
    points.add(pulled[3]!, pulled[4]!, pulled[5]!, glColors.selected);
  }
  if (overlays.octree) drawBoxes(within, simulator.octree(display.depth), glColors.octree, false);
  if (overlays.groups) drawBoxes(within, simulator.nearGroups(), glColors.island, true);
  if (overlays.islands) drawBoxes(within, simulator.islands(), glColors.island, false);
  for (let body = 0; body < picture.count; body += 1) {
    if (overlays.boxes && picture.ends(body)) {
      const { min, max } = picture.box(body);
      within.box(min, max, glColors.box, true);
    }
    if (overlays.velocities) {
      const velocity = [...picture.motions.subarray(body * 6, body * 6 + 3)].map((part) => part * VELOCITY_S);
      const long = Math.hypot(...velocity);
      // Arrows of nearly resting bodies would be clutter.
      if (long > drawn.head * SHORTEST) above.arrow(picture.place(body), velocity, glColors.text, Math.min(drawn.head * 0.7, long * 0.5));
    }
  }
  // Indexed access: there may be ten thousand in every picture.
  const { contacts } = picture;
  for (let at = 0; at < contacts.length; at += picture.aContact) {
    const [x, y, z] = [contacts[at]!, contacts[at + 1]!, contacts[at + 2]!];
    if (overlays.normals) {
      const long = drawn.head * 2.6;
      above.arrow([x, y, z], [contacts[at + 3]! * long, contacts[at + 4]! * long, contacts[at + 5]! * long], glColors.normal, drawn.head * 0.7);
    }
    if (overlays.contacts) points.add(x, y, z, glColors.contact);
  }
}

function drawBoxes(list: LineList, boxes: Float32Array, glColor: GlColor, dashed: boolean): void {
  for (let at = 0; at < boxes.length; at += 6) {
    list.box([...boxes.subarray(at, at + 3)], [...boxes.subarray(at + 3, at + 6)], glColor, dashed);
  }
}

/** A grid of meters on the floor, coarser on wide floors. */
function drawGrid(list: LineList, { picture, scene, floor: known, hair, glColors }: Drawn): void {
  // An empty world has a grid too, to build on.
  const floor = known ?? (picture.count === 0 ? { height: 0, area: null } : null);
  if (floor === null) return;
  const { min, max } = scene.extent;
  const wide = Math.max(3, max[0] - min[0], max[2] - min[2]) * 1.5;
  const step = [1, 2, 5, 10, 20, 50].find((step) => wide / step <= 28) ?? 100;
  const ends = ([0, 2] as const).map((axis) => {
    const middle = (min[axis] + max[axis]) / 2;
    const from = Math.max(middle - wide / 2, floor.area?.min[axis] ?? -Infinity);
    const to = Math.min(middle + wide / 2, floor.area?.max[axis] ?? Infinity);
    return [Math.ceil(from / step) * step, Math.floor(to / step) * step] as const;
  });
  const [[x0, x1], [z0, z1]] = ends as [readonly [number, number], readonly [number, number]];
  // Above the shadows, which have an offset of their own.
  const y = floor.height + 2 * hair;
  for (let x = x0; x <= x1; x += step) list.line([x, y, z0], [x, y, z1], glColors.grid);
  for (let z = z0; z <= z1; z += step) list.line([x0, y, z], [x1, y, z], glColors.grid);
}
