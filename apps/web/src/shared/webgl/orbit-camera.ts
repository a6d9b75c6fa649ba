/**
 * Orbit camera.
 *
 * Circles around a target point by yaw, pitch and distance. The home position shows everything of
 * finite size. Plain numbers, independent of the renderer.
 */
import type { Vector } from '../vector.ts';

/** Radians per CSS pixel: half the width of a stage turns the camera by about a quarter turn. */
const TURN = 0.006;
/** Just short of vertical, where the up direction is undefined. */
const MAX_PITCH = 1.5;
/**
 * For worlds in meters; the maximum distance covers all positions that links and the engine
 * support.
 */
const METRES: Reach = { nearest: 0.2, farthest: 900_000, smallest: 0.3, beyond: 50 };
const HOME: Side = { yaw: 0.62, pitch: 0.42 };
/** CSS pixels covered by tools and legend; on a narrow stage the bottom is not covered. */
const MARGIN = { top: 46, bottom: 46, side: 20 };
const NARROW = { width: 480, bottom: 16 };
/** After this many iterations the picture moves by less than a pixel. */
const LOOKS = 14;

/** Vertical field of view in degrees. */
export const FOV = 38;
const HALF_TAN = Math.tan((FOV * Math.PI) / 360);

/** View direction in radians: yaw from +z towards +x, and pitch downwards. */
export interface Side {
  yaw: number;
  pitch: number;
}

/** Camera position: yaw, pitch, distance and target. */
export type CameraPlace = [yaw: number, pitch: number, distance: number, x: number, y: number, z: number];

/** Distance limits, in the world's unit. */
export interface Reach {
  nearest: number;
  farthest: number;
  /** Smaller objects are not zoomed in further. */
  smallest: number;
  /** Distance behind the target up to which everything is drawn. */
  beyond: number;
}

/** Minimum and maximum corner. */
export interface Extent {
  min: Vector;
  max: Vector;
}

export class OrbitCamera {
  #reach = METRES;
  #target: Vector = [0, 0, 0];
  #yaw = HOME.yaw;
  #pitch = HOME.pitch;
  #distance = 10;
  #width = 1;
  #height = 1;
  #position: Vector = [0, 0, 10];
  /** Unit vectors: right, up and forward. */
  #right: Vector = [1, 0, 0];
  #up: Vector = [0, 1, 0];
  #ahead: Vector = [0, 0, -1];

  resize(width: number, height: number): void {
    this.#width = Math.max(1, width);
    this.#height = Math.max(1, height);
    this.#apply();
  }

  /** For a world of another size. */
  set reach(reach: Reach) {
    this.#reach = reach;
    this.#apply();
  }

  /** Fits all boxes in the area that tools and legend leave free. */
  home(boxes: readonly Extent[], { yaw, pitch }: Side = HOME): void {
    this.#yaw = yaw;
    this.#pitch = pitch;
    const corners = boxes.flatMap(cornersOf);
    if (corners.length === 0) return;
    const least = [0, 1, 2].map((axis) => Math.min(...corners.map((corner) => corner[axis]!)));
    const greatest = [0, 1, 2].map((axis) => Math.max(...corners.map((corner) => corner[axis]!)));
    this.#target = least.map((each, axis) => (each + greatest[axis]!) / 2) as Vector;
    this.#distance = this.#within(4 * Math.max(this.#reach.smallest, Math.hypot(...least.map((each, axis) => greatest[axis]! - each))));
    const free = this.#free();
    // Perspective has no closed formula for the distance; iterate.
    for (let look = 0; look < LOOKS; look += 1) {
      this.#apply();
      const seen = { x0: Infinity, x1: -Infinity, y0: Infinity, y1: -Infinity };
      for (const corner of corners) {
        const { x, y } = this.#projected(corner);
        seen.x0 = Math.min(seen.x0, x);
        seen.x1 = Math.max(seen.x1, x);
        seen.y0 = Math.min(seen.y0, y);
        seen.y1 = Math.max(seen.y1, y);
      }
      const half = HALF_TAN * this.#distance;
      const across = ((seen.x0 + seen.x1 - free.x0 - free.x1) / 2) * half * this.aspect;
      const upwards = ((seen.y0 + seen.y1 - free.y0 - free.y1) / 2) * half;
      this.#target = plus(plus(this.#target, this.#right, across), this.#up, upwards);
      const fills = Math.max((seen.x1 - seen.x0) / (free.x1 - free.x0), (seen.y1 - seen.y0) / (free.y1 - free.y0));
      this.#distance = this.#within(this.#distance * Math.min(2, Math.max(0.5, fills)));
    }
    this.#apply();
  }

  /** As written in links. */
  get place(): CameraPlace {
    return [this.#yaw, this.#pitch, this.#distance, ...this.#target];
  }

  set place([yaw, pitch, distance, x, y, z]: CameraPlace) {
    this.#yaw = yaw;
    this.#pitch = Math.min(MAX_PITCH, Math.max(-MAX_PITCH, pitch));
    this.#distance = this.#within(distance);
    this.#target = [x, y, z];
    this.#apply();
  }

  orbit(dx: number, dy: number): void {
    this.#yaw -= dx * TURN;
    this.#pitch = Math.min(MAX_PITCH, Math.max(-MAX_PITCH, this.#pitch + dy * TURN));
    this.#apply();
  }

  /** The world follows the pointer. */
  pan(dx: number, dy: number): void {
    const units = (2 * this.#distance * HALF_TAN) / this.#height;
    this.#target = plus(plus(this.#target, this.#right, -dx * units), this.#up, dy * units);
    this.#apply();
  }

  zoom(factor: number): void {
    this.#distance = this.#within(this.#distance / factor);
    this.#apply();
  }

  get eye(): Vector {
    return this.#position;
  }

  /** Target point of the orbit. */
  get target(): Vector {
    return this.#target;
  }

  get distance(): number {
    return this.#distance;
  }

  /** Width over height. */
  get aspect(): number {
    return this.#width / this.#height;
  }

  get near(): number {
    return this.#distance / 100;
  }

  get far(): number {
    return this.#distance * 12 + this.#reach.beyond;
  }

  /** The middle of the canvas, in CSS pixels. */
  get middle(): { x: number; y: number } {
    return { x: this.#width / 2, y: this.#height / 2 };
  }

  /** Unit vector from the eye through a point of the canvas. */
  direction(x: number, y: number): Vector {
    const across = ((2 * x) / this.#width - 1) * HALF_TAN * this.aspect;
    const upwards = (1 - (2 * y) / this.#height) * HALF_TAN;
    const through = plus(plus(this.#ahead, this.#right, across), this.#up, upwards);
    const length = Math.hypot(...through);
    return through.map((part) => part / length) as Vector;
  }

  /** The point under a canvas position at the depth of another point. */
  atDepthOf(point: Readonly<Vector>, x: number, y: number): Vector {
    const direction = this.direction(x, y);
    const depth = this.#projected(point).depth;
    return plus(this.#position, direction, depth / Math.max(1e-6, dot(direction, this.#ahead)));
  }

  /** A movement on the ground plane as seen: right, up, and away from the eye. */
  level({ across, up, away }: { across: number; up: number; away: number }): Vector {
    const [right, ahead] = [this.#right, [-Math.sin(this.#yaw), 0, -Math.cos(this.#yaw)] as const];
    return [right[0] * across + ahead[0] * away, up, right[2] * across + ahead[2] * away];
  }

  /** Horizontal position on the canvas, 0 (left) to 1 (right). */
  across(x: number, y: number, z: number): number {
    return Math.min(1, Math.max(0, (this.#projected([x, y, z]).x + 1) / 2));
  }

  /** Position of a point in CSS pixels; null if it is not visible. */
  on(point: Readonly<Vector>): { x: number; y: number } | null {
    const { x, y, depth } = this.#projected(point);
    if (Math.max(Math.abs(x), Math.abs(y)) > 1 || depth < this.near || depth > this.far) return null;
    return { x: ((x + 1) / 2) * this.#width, y: ((1 - y) / 2) * this.#height };
  }

  /** View-projection matrix: sixteen numbers in column-major order, as in WebGL. */
  matrix(): number[] {
    const [near, far] = [this.near, this.far];
    const rows = [
      { by: this.#right, scale: 1 / (HALF_TAN * this.aspect) },
      { by: this.#up, scale: 1 / HALF_TAN },
    ].map(({ by, scale }) => [...by.map((part) => part * scale), -dot(by, this.#position) * scale]);
    const ahead = [...this.#ahead, -dot(this.#ahead, this.#position)];
    const stretch = (far + near) / (far - near);
    const depth = ahead.map((part, column) => part * stretch - (column === 3 ? (2 * far * near) / (far - near) : 0));
    const all = [...rows, depth, ahead];
    return Array.from({ length: 16 }, (_, place) => all[place % 4]![Math.floor(place / 4)]!);
  }

  /** The uncovered part of the picture, in normalized device coordinates. */
  #free(): { x0: number; x1: number; y0: number; y1: number } {
    const bottom = this.#width < NARROW.width ? NARROW.bottom : MARGIN.bottom;
    const [across, below, above] = [(2 * MARGIN.side) / this.#width, (2 * bottom) / this.#height, (2 * MARGIN.top) / this.#height];
    // A stage of a few pixels has no space for margins.
    const [side, low, high] = [across, below, above].map((share) => Math.min(0.4, share)) as [number, number, number];
    return { x0: -1 + side, x1: 1 - side, y0: -1 + low, y1: 1 - high };
  }

  /** Normalized device coordinates, and depth. */
  #projected(point: Readonly<Vector>): { x: number; y: number; depth: number } {
    const away = point.map((part, axis) => part - this.#position[axis]!);
    const depth = dot(this.#ahead, away);
    const scale = 1 / (HALF_TAN * depth);
    return { x: (dot(this.#right, away) * scale) / this.aspect, y: dot(this.#up, away) * scale, depth };
  }

  #within(distance: number): number {
    return Math.min(this.#reach.farthest, Math.max(this.#reach.nearest, distance));
  }

  #apply(): void {
    const [cos, sin] = [Math.cos(this.#pitch), Math.sin(this.#pitch)];
    const [along, across] = [Math.cos(this.#yaw), Math.sin(this.#yaw)];
    const back: Vector = [across * cos, sin, along * cos];
    this.#position = plus(this.#target, back, this.#distance);
    this.#ahead = back.map((part) => -part) as Vector;
    this.#right = [along, 0, -across];
    this.#up = [-across * sin, cos, -along * sin];
  }
}

function plus(point: Readonly<Vector>, by: Readonly<Vector>, times: number): Vector {
  return point.map((part, axis) => part + by[axis]! * times) as Vector;
}

function dot(one: readonly number[], other: readonly number[]): number {
  return one[0]! * other[0]! + one[1]! * other[1]! + one[2]! * other[2]!;
}

function cornersOf({ min, max }: Extent): Vector[] {
  return Array.from({ length: 8 }, (_, corner): Vector => [corner & 1 ? max[0] : min[0], corner & 2 ? max[1] : min[1], corner & 4 ? max[2] : min[2]]);
}
