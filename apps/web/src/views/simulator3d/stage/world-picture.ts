/** Where is everything in this frame? What the engine tells, in the rows that the painter uploads. */
import type { Extent } from '../../../shared/stage/orbit-camera.ts';
import { ROW } from '../protocol.ts';
import type { Simulator } from './engine.ts';
import { A_ROW, TEXELS } from './shaders.ts';

/** Where in a row of a body. */
const SPEED = 8;
const CONTACTS = 9;
const KIND = 11;
/** Farther out is only what has no end. */
const ENDLESS = 1e5;
/** Told instead of the kind of a body that never moves: it is seen through. */
const GLASS = 3;
/** What is as high as this many times its thickness, and as wide as this share of all, is a wall. */
const WALL = { high: 2, wide: 0.4 };
/** A body this many times its size above the floor has no shadow. */
const SHADOW_REACH = 7;

/** What is more times as high as it is wide is mostly air. */
const TALL = 1.6;
/** So many times as far away as most others are, a body is not looked for. */
const STRAY = 6;

export interface Floor {
  height: number;
  /** Where it ends; nowhere if it does not. */
  area: Extent | null;
  /** A body that is drawn by itself, or a half-space; else the bottom of a room. */
  isBody: boolean;
}

/** From where one looks, and at how much. */
export interface SeenFrom {
  eye: readonly [number, number, number];
  extent: Extent;
}

export class WorldPicture {
  bodies: Float32Array = new Float32Array();
  boxes: Float32Array = new Float32Array();
  motions: Float32Array = new Float32Array();
  contacts: Float32Array = new Float32Array();
  joints: Float32Array = new Float32Array();
  grounds: Float32Array = new Float32Array();

  /** Numbers a body and a contact, as the engine tells them. */
  aBody = 1;
  aContact = 1;

  /** The step and the bodies that were looked at last. */
  #seen = '';

  look(simulator: Simulator): void {
    const now = `${simulator.at} ${simulator.version}`;
    if (now === this.#seen) return;
    this.#seen = now;
    const [aBody = 1, aContact = 1] = simulator.rowLengths;
    [this.aBody, this.aContact] = [aBody, aContact];
    simulator.look();
    this.bodies = simulator.lookBodies();
    this.boxes = simulator.lookBoxes();
    this.motions = simulator.lookMotions();
    this.contacts = simulator.lookContacts();
    this.joints = simulator.lookJoints();
    this.grounds = simulator.lookGrounds();
  }

  get count(): number {
    return this.bodies.length / this.aBody;
  }

  moves(body: number): boolean {
    return this.bodies[body * this.aBody + KIND]! < 0.5;
  }

  place(body: number): [number, number, number] {
    const at = body * this.aBody;
    return [this.bodies[at]!, this.bodies[at + 1]!, this.bodies[at + 2]!];
  }

  box(body: number): Extent {
    const [boxes, at] = [this.boxes, body * 6];
    return { min: [boxes[at]!, boxes[at + 1]!, boxes[at + 2]!], max: [boxes[at + 3]!, boxes[at + 4]!, boxes[at + 5]!] };
  }

  /** Whether it has an end. */
  ends(body: number): boolean {
    for (let at = body * 6; at < body * 6 + 6; at += 1) {
      if (!(Math.abs(this.boxes[at]!) < ENDLESS)) return false;
    }
    return true;
  }

  /** Place, speed and number of contacts of each body, for tables. */
  rows(): Float32Array {
    const rows = new Float32Array(this.count * ROW.size);
    for (let body = 0; body < this.count; body += 1) {
      const [at, to] = [body * this.aBody, body * ROW.size];
      rows.set(this.bodies.subarray(at, at + 3), to + ROW.place);
      rows[to + ROW.speed] = this.bodies[at + SPEED]!;
      rows[to + ROW.contacts] = this.bodies[at + CONTACTS]!;
    }
    return rows;
  }

  /** What a look at the whole should show: all that moves, what stands near it, and the room it is in. */
  boxesInView(bounds: Extent | null): Extent[] {
    const bodies = Array.from({ length: this.count }, (_, body) => body).filter((body) => this.ends(body));
    const moving = this.#together(bodies.filter((body) => this.moves(body)));
    const around = hull((moving.length > 0 ? moving : bodies).map((body) => this.box(body)));
    if (around === null) return [bounds ?? { min: [-2, 0, -2], max: [2, 2, 2] }];
    const size = Math.max(1, ...[0, 1, 2].map((axis) => around.max[axis]! - around.min[axis]!));
    const isNear = (body: number): boolean => {
      const { min, max } = this.box(body);
      return [0, 1, 2].every((axis) => max[axis]! - min[axis]! <= 2 * size && max[axis]! > around.min[axis]! - size && min[axis]! < around.max[axis]! + size);
    };
    const standing = bodies.filter((body) => !this.moves(body) && (moving.length === 0 || isNear(body)));
    const shown = [...moving, ...standing].map((body) => this.box(body));
    if (bounds !== null) shown.push(bounds);
    const wide = hull(shown);
    const floor = this.floor(bounds)?.height;
    // What is high up falls: a tower of air above the rest would make everything small.
    const top = wide === null ? Infinity : (floor ?? wide.min[1]) + TALL * Math.max(1, wide.max[0] - wide.min[0], wide.max[2] - wide.min[2]);
    return shown.map(({ min, max }) => ({
      min: [min[0], Math.min(min[1], floor ?? min[1], top), min[2]],
      max: [max[0], Math.min(max[1], top), max[2]],
    }));
  }

  /** Without those that have left the others far behind. */
  #together(bodies: readonly number[]): number[] {
    const middle = [0, 1, 2].map((axis) => median(bodies.map((body) => this.place(body)[axis]!)));
    const away = bodies.map((body) => Math.hypot(...this.place(body).map((part, axis) => part - middle[axis]!)));
    const most = STRAY * Math.max(1, [...away].sort((one, other) => one - other)[Math.floor(away.length * 0.8)] ?? 1);
    return bodies.filter((_, place) => away[place]! <= most);
  }

  /** The box around all that. */
  extent(bounds: Extent | null): Extent {
    return hull(this.boxesInView(bounds)) ?? { min: [-2, 0, -2], max: [2, 2, 2] };
  }

  /** The floor, if there is one: level ground, the top of a wide box, the bottom of the room. */
  floor(bounds: Extent | null): Floor | null {
    for (let at = 0; at < this.grounds.length; at += 6) {
      if (this.grounds[at + 4]! > 0.99) return { height: this.grounds[at + 1]!, area: null, isBody: true };
    }
    let [widest, found] = [9, null as Floor | null];
    for (let body = 0; body < this.count; body += 1) {
      const box = this.box(body);
      const area = (box.max[0] - box.min[0]) * (box.max[2] - box.min[2]);
      if (!this.moves(body) && this.ends(body) && area > widest) {
        [widest, found] = [area, { height: box.max[1], area: box, isBody: true }];
      }
    }
    return found ?? (bounds === null ? null : { height: bounds.min[1], area: bounds, isBody: false });
  }

  /** About half as large as what moves is. */
  usualSize(): number {
    let [count, size] = [0, 0];
    for (let body = 0; body < this.count; body += 1) {
      if (!this.moves(body)) continue;
      const { min, max } = this.box(body);
      count += 1;
      size += Math.min(max[0] - min[0], max[1] - min[1], max[2] - min[2]) / 2;
    }
    return count === 0 ? 0 : size / count;
  }

  /** Whether it is a wall between the eye and the middle of all: what matters lies behind it. */
  hides(body: number, { eye, extent }: SeenFrom): boolean {
    if (this.moves(body) || !this.ends(body)) return false;
    const { min, max } = this.box(body);
    const size = [0, 1, 2].map((axis) => max[axis]! - min[axis]!) as [number, number, number];
    const [across, along] = size[0] < size[2] ? ([0, 2] as const) : ([2, 0] as const);
    const all = Math.max(extent.max[0] - extent.min[0], extent.max[2] - extent.min[2]);
    if (size[1] < WALL.high * size[across] || size[along] < WALL.wide * all) return false;
    const middle = (extent.min[across] + extent.max[across]) / 2;
    const outwards = (min[across] + max[across]) / 2 - middle;
    return Math.abs(outwards) > size[across] && (eye[across] - middle) * Math.sign(outwards) > Math.abs(outwards);
  }

  /** Four texels a body. Whether each is thin: it flies, or is seen through. */
  texels(into: Float32Array, floor: number | null, from: SeenFrom): Uint8Array {
    const flies = new Uint8Array(this.count);
    const { boxes } = this;
    for (let body = 0; body < this.count; body += 1) {
      const to = 4 * TEXELS * (Math.floor(body / A_ROW) * A_ROW + (body % A_ROW));
      into.set(this.bodies.subarray(body * this.aBody, (body + 1) * this.aBody), to);
      if (this.hides(body, from)) into[to + KIND] = GLASS;
      if (into[to + KIND] === GLASS || (this.moves(body) && into[to + CONTACTS]! < 0.5)) flies[body] = 1;
      const at = body * 6;
      const [x0, y0, z0, x1, z1] = [boxes[at]!, boxes[at + 1]!, boxes[at + 2]!, boxes[at + 3]!, boxes[at + 5]!];
      const radius = ((x1 - x0 + (z1 - z0)) / 4) * 1.25;
      const above = floor === null ? Infinity : y0 - floor;
      const fades = 1 - above / (radius * SHADOW_REACH);
      // What reaches below the floor is the floor, or stands in it.
      const casts = this.ends(body) && above > -0.1 * radius && fades > 0 && radius < 20;
      into[to + 12] = (x0 + x1) / 2;
      into[to + 13] = (z0 + z1) / 2;
      into[to + 14] = radius * (1.1 + Math.max(0, above) * 0.12);
      into[to + 15] = casts ? Math.min(1, fades) : 0;
    }
    return flies;
  }
}

function hull(boxes: readonly Extent[]): Extent | null {
  const all: Extent = { min: [Infinity, Infinity, Infinity], max: [-Infinity, -Infinity, -Infinity] };
  for (const { min, max } of boxes) {
    for (let axis = 0; axis < 3; axis += 1) {
      all.min[axis] = Math.min(all.min[axis]!, min[axis]!);
      all.max[axis] = Math.max(all.max[axis]!, max[axis]!);
    }
  }
  return boxes.length === 0 ? null : all;
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
