/** Which lines and points lie over the bodies? What the reader asked to see of the engine's work. */
import type { Ink } from '../../../shared/stage/ink.ts';
import type { LineList } from '../../../shared/stage/line-list.ts';
import type { Looks } from '../protocol.ts';
import type { Simulator } from './engine.ts';
import type { Shown } from './painter.ts';
import { type Floor, type WorldPicture } from './world-picture.ts';

/** Velocities are drawn as far as a body goes in this time. */
const VELOCITY_S = 0.16;
/** Arrows that are shorter than this share of a head are not drawn. */
const SHORTEST = 0.6;

export type Inks = Record<'grid' | 'line' | 'text' | 'box' | 'normal' | 'octree' | 'island' | 'contact' | 'selected', Ink>;

interface Drawn {
  picture: WorldPicture;
  simulator: Simulator;
  looks: Looks;
  inks: Inks;
  scene: Shown;
  floor: Floor | null;
  /** So far above the floor its marks are told from it. */
  hair: number;
  /** How large the head of an arrow is. */
  head: number;
}

/** `within` is hidden by bodies before it, `above` is not. */
export type Overlays = Record<'within' | 'above' | 'points', LineList>;

export function drawOverlays(lists: Overlays, drawn: Drawn): void {
  const { within, above, points } = lists;
  const { picture, simulator, looks, inks, scene } = drawn;
  const { overlays } = looks;
  [within, above, points].forEach((list) => list.clear());
  if (overlays.grid) drawGrid(within, drawn);
  if (scene.bounds !== null) within.box(scene.bounds.min, scene.bounds.max, inks.line);
  const [joints, pulled] = [picture.joints, simulator.pulled()];
  for (let at = 0; at < joints.length; at += 6) {
    within.line([...joints.subarray(at, at + 3)], [...joints.subarray(at + 3, at + 6)], inks.line);
  }
  if (pulled.length === 6) {
    above.line([...pulled.subarray(0, 3)], [...pulled.subarray(3, 6)], inks.selected);
    points.add(pulled[3]!, pulled[4]!, pulled[5]!, inks.selected);
  }
  if (overlays.octree) drawBoxes(within, simulator.octree(looks.depth), inks.octree, false);
  if (overlays.islands) drawBoxes(within, simulator.islands(), inks.island, false);
  for (let body = 0; body < picture.count; body += 1) {
    if (overlays.boxes && picture.ends(body)) {
      const { min, max } = picture.box(body);
      within.box(min, max, inks.box, true);
    }
    if (overlays.velocities) {
      const velocity = [...picture.motions.subarray(body * 6, body * 6 + 3)].map((part) => part * VELOCITY_S);
      const long = Math.hypot(...velocity);
      // What hardly moves would only be scribbled on.
      if (long > drawn.head * SHORTEST) above.arrow(picture.place(body), velocity, inks.text, Math.min(drawn.head * 0.7, long * 0.5));
    }
  }
  // Read one by one: there may be ten thousand in every picture.
  const { contacts } = picture;
  for (let at = 0; at < contacts.length; at += picture.aContact) {
    const [x, y, z] = [contacts[at]!, contacts[at + 1]!, contacts[at + 2]!];
    if (overlays.normals) {
      const long = drawn.head * 2.6;
      above.arrow([x, y, z], [contacts[at + 3]! * long, contacts[at + 4]! * long, contacts[at + 5]! * long], inks.normal, drawn.head * 0.7);
    }
    if (overlays.contacts) points.add(x, y, z, inks.contact);
  }
}

function drawBoxes(list: LineList, boxes: Float32Array, ink: Ink, dashed: boolean): void {
  for (let at = 0; at < boxes.length; at += 6) {
    list.box([...boxes.subarray(at, at + 3)], [...boxes.subarray(at + 3, at + 6)], ink, dashed);
  }
}

/** Metres on the floor as far as it goes, or steps of more where it is wide. */
function drawGrid(list: LineList, { scene, floor, hair, inks }: Drawn): void {
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
  // Above the shadows, which lie a hair above the floor themselves.
  const y = floor.height + 2 * hair;
  for (let x = x0; x <= x1; x += step) list.line([x, y, z0], [x, y, z1], inks.grid);
  for (let z = z0; z <= z1; z += step) list.line([x0, y, z], [x1, y, z], inks.grid);
}
