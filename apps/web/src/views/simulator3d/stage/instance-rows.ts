/** Instance data of a frame: engine state converted to the rows that the renderer uploads. */
import type { Extent } from '../../../shared/webgl/orbit-camera.ts';
import { ROW } from '../workers/protocol.ts';
import type { Simulator } from '../workers/engine.ts';
import { A_LEVEL, A_ROW, TEXELS } from './shaders.ts';

/** Offset in a body's row. */
const SHAPE = 3;
const SPEED = 8;
const CONTACTS = 9;
const KIND = 11;
/** Numbers of linear and angular velocity. */
const MOTION = 6;
/** Only unbounded shapes extend farther. */
const ENDLESS = 1e5;
/** Replaces the body type of static bodies that are drawn translucent. */
const GLASS = 3;
/** A wall: at least `high` times as high as thick, and `wide` times as wide as the scene. */
const WALL = { high: 2, wide: 0.4 };
/** Height above the floor, relative to its size, from which on a body casts no shadow. */
const SHADOW_REACH = 7;

/** Higher scenes relative to their width are mostly empty, unless they are towers. */
const TALL = 1.6;
/** Gap in m below which a body stands on another. */
const STANDS = 0.05;
/** Bodies farther away than this multiple of the typical distance are not framed. */
const STRAY = 6;

export interface Floor {
  height: number;
  /** Bounds; null if unbounded. */
  area: Extent | null;
  /** A body with a mesh of its own, or a half-space; otherwise the bottom of the bounds. */
  isBody: boolean;
}

/** Eye position and framed extent. */
export interface SeenFrom {
  eye: readonly [number, number, number];
  extent: Extent;
}

export class InstanceRows {
  bodies: Float32Array = new Float32Array();
  boxes: Float32Array = new Float32Array();
  motions: Float32Array = new Float32Array();
  contacts: Float32Array = new Float32Array();
  joints: Float32Array = new Float32Array();
  grounds: Float32Array = new Float32Array();
  /** Level of each body in the octree, −1 for unbounded bodies; null unless it is shown. */
  levels: Float32Array | null = null;

  /** Row lengths of bodies and contacts. */
  aBody = 1;
  aContact = 1;

  /** Step and bodies of the last update, and of that of the levels. */
  #seen = '';
  #leveled = '';

  look(simulator: Simulator): void {
    const now = `${simulator.at} ${simulator.version}`;
    if (now === this.#seen) return;
    this.#seen = now;
    const [aBody = 1, aContact = 1] = simulator.rowLengths;
    [this.aBody, this.aContact] = [aBody, aContact];
    simulator.updateRenderState();
    this.bodies = simulator.renderBodies();
    this.boxes = simulator.renderAabbs();
    this.motions = simulator.renderVelocities();
    this.contacts = simulator.renderContacts();
    this.joints = simulator.renderJoints();
    this.grounds = simulator.renderHalfSpaces();
  }

  /** Updates the levels, or forgets them. */
  lookAtLevels(simulator: Simulator, isShown: boolean): void {
    const now = isShown ? `${simulator.at} ${simulator.version}` : '';
    if (now === this.#leveled) return;
    this.#leveled = now;
    this.levels = isShown ? simulator.octreeLevels() : null;
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

  /** Whether the body is bounded. */
  ends(body: number): boolean {
    for (let at = body * 6; at < body * 6 + 6; at += 1) {
      if (!(Math.abs(this.boxes[at]!) < ENDLESS)) return false;
    }
    return true;
  }

  /** Position, speed, number of contacts and velocity of each body, for tables. */
  rows(): Float32Array {
    const rows = new Float32Array(this.count * ROW.size);
    for (let body = 0; body < this.count; body += 1) {
      const [at, to] = [body * this.aBody, body * ROW.size];
      rows.set(this.bodies.subarray(at, at + 3), to + ROW.place);
      rows[to + ROW.speed] = this.bodies[at + SPEED]!;
      rows[to + ROW.contacts] = this.bodies[at + CONTACTS]!;
      rows.set(this.motions.subarray(body * MOTION, body * MOTION + 3), to + ROW.velocity);
    }
    return rows;
  }

  /**
   * Boxes to be framed: all dynamic bodies, nearby static ones, and the bounds they are in; of
   * bodies high in the air only the space below, unless `isWhole`.
   */
  boxesInView(bounds: Extent | null, isWhole = false): Extent[] {
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
    const boxes = [...moving, ...standing].map((body) => this.box(body));
    const floor = this.floor(bounds)?.height;
    const shown = bounds === null ? boxes : [...boxes, this.visibleBounds(bounds)];
    const wide = hull(shown);
    // High bodies will fall: framing the empty space above the rest would make everything small.
    const usual = isWhole || wide === null ? Infinity : (floor ?? wide.min[1]) + TALL * Math.max(1, wide.max[0] - wide.min[0], wide.max[2] - wide.min[2]);
    // A tower stands there, and is shown to its top.
    const top = wide === null || wide.max[1] <= usual ? usual : Math.max(usual, standingTop(boxes, floor ?? wide.min[1]));
    return shown.map(({ min, max }) => ({
      min: [min[0], Math.min(min[1], floor ?? min[1], top), min[2]],
      max: [max[0], Math.min(max[1], top), max[2]],
    }));
  }

  /** The part of the bounds above a floor without end. */
  visibleBounds(bounds: Extent): Extent {
    const floor = this.floor(bounds);
    if (floor === null || floor.area !== null || floor.height >= bounds.max[1]) return bounds;
    return { min: [bounds.min[0], Math.max(bounds.min[1], floor.height), bounds.min[2]], max: bounds.max };
  }

  /** Excludes bodies that are far away from the others. */
  #together(bodies: readonly number[]): number[] {
    const middle = [0, 1, 2].map((axis) => median(bodies.map((body) => this.place(body)[axis]!)));
    const away = bodies.map((body) => Math.hypot(...this.place(body).map((part, axis) => part - middle[axis]!)));
    const most = STRAY * Math.max(1, [...away].sort((one, other) => one - other)[Math.floor(away.length * 0.8)] ?? 1);
    return bodies.filter((_, place) => away[place]! <= most);
  }

  /** The box around all of them. */
  extent(bounds: Extent | null): Extent {
    return hull(this.boxesInView(bounds)) ?? { min: [-2, 0, -2], max: [2, 2, 2] };
  }

  /**
   * The floor, if any: a horizontal half-space, the top of a wide box, or the bottom of the bounds.
   */
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

  /** About half the typical size of the dynamic bodies. */
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

  /** Whether the body is a wall between the eye and the center of the scene. */
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

  /**
   * Writes four texels per body. Returns for each whether it is drawn translucent: free, or an
   * occluding wall.
   */
  texels(into: Float32Array, floor: number | null, from: SeenFrom): Uint8Array {
    const flies = new Uint8Array(this.count);
    const { boxes } = this;
    for (let body = 0; body < this.count; body += 1) {
      const to = 4 * TEXELS * (Math.floor(body / A_ROW) * A_ROW + (body % A_ROW));
      into.set(this.bodies.subarray(body * this.aBody, (body + 1) * this.aBody), to);
      if (this.levels !== null) into[to + SHAPE] = into[to + SHAPE]! + A_LEVEL * (1 + Math.min(this.levels[body] ?? -1, A_LEVEL));
      if (this.hides(body, from)) into[to + KIND] = GLASS;
      if (into[to + KIND] === GLASS || (this.moves(body) && into[to + CONTACTS]! < 0.5)) flies[body] = 1;
      const at = body * 6;
      const [x0, y0, z0, x1, z1] = [boxes[at]!, boxes[at + 1]!, boxes[at + 2]!, boxes[at + 3]!, boxes[at + 5]!];
      const radius = ((x1 - x0 + (z1 - z0)) / 4) * 1.25;
      const above = floor === null ? Infinity : y0 - floor;
      const fades = 1 - above / (radius * SHADOW_REACH);
      // A body that extends below the floor is the floor, or stands in it.
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

/** Top of the highest box that stands on the floor, directly or on others. */
function standingTop(boxes: readonly Extent[], floor: number): number {
  const standing: Extent[] = [];
  for (const box of [...boxes].sort((one, other) => one.min[1] - other.min[1])) {
    const isOn = ({ min, max }: Extent): boolean =>
      box.min[1] <= max[1] + STANDS && box.min[0] < max[0] && box.max[0] > min[0] && box.min[2] < max[2] && box.max[2] > min[2];
    if (box.min[1] <= floor + STANDS || standing.some(isOn)) standing.push(box);
  }
  return Math.max(floor, ...standing.map(({ max }) => max[1]));
}
