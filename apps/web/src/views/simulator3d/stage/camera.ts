/**
 * From where is the world seen?
 *
 * A camera that goes round a point: by yaw and pitch, nearer and farther. Home shows all that has an end.
 */
import { PerspectiveCamera, Vector3 } from 'three';

import type { CameraPlace } from '../protocol.ts';

/** Radians a CSS pixel: half the width of a stage turns it by about a quarter. */
const TURN = 0.006;
/** Not quite from straight above, where there is no up. */
const MOST_PITCH = 1.5;
/** In metres; the farthest sees all that links and the engine have places for. */
const [NEAREST, FARTHEST] = [0.2, 900_000];
const HOME: Side = { yaw: 0.62, pitch: 0.42 };
/** CSS pixels where tools and the legend lie over the picture; on a narrow stage nothing lies over its bottom. */
const MARGIN = { top: 46, bottom: 46, side: 20 };
const NARROW = { width: 480, bottom: 16 };
/** After so many the picture moves by less than a pixel. */
const LOOKS = 14;

/** From where one looks, in radians: round from +z towards +x, and down. */
export interface Side {
  yaw: number;
  pitch: number;
}

/** Least and greatest corner. */
export interface Extent {
  min: [number, number, number];
  max: [number, number, number];
}

export class Camera {
  readonly eye = new PerspectiveCamera(38, 1, 0.05, 500);
  readonly #target = new Vector3();
  #yaw = HOME.yaw;
  #pitch = HOME.pitch;
  #distance = 10;
  #width = 1;
  #height = 1;

  resize(width: number, height: number): void {
    this.#width = Math.max(1, width);
    this.#height = Math.max(1, height);
    this.eye.aspect = this.#width / this.#height;
    this.#apply();
  }

  /** All of this in view, as large as it fits beside tools and legend. */
  home(boxes: readonly Extent[], { yaw, pitch }: Side = HOME): void {
    this.#yaw = yaw;
    this.#pitch = pitch;
    const corners = boxes.flatMap(cornersOf);
    const [min, max] = [new Vector3(Infinity, Infinity, Infinity), new Vector3(-Infinity, -Infinity, -Infinity)];
    for (const corner of corners) {
      min.min(corner);
      max.max(corner);
    }
    if (corners.length === 0) return;
    this.#target.addVectors(min, max).multiplyScalar(0.5);
    this.#distance = within(4 * Math.max(0.3, min.distanceTo(max)));
    const free = this.#free();
    // What is nearer looks larger, so that no formula says how far to go; a few looks do.
    for (let look = 0; look < LOOKS; look += 1) {
      this.#apply();
      const seen = { x0: Infinity, x1: -Infinity, y0: Infinity, y1: -Infinity };
      for (const corner of corners) {
        const { x, y } = corner.clone().project(this.eye);
        seen.x0 = Math.min(seen.x0, x);
        seen.x1 = Math.max(seen.x1, x);
        seen.y0 = Math.min(seen.y0, y);
        seen.y1 = Math.max(seen.y1, y);
      }
      const half = Math.tan((this.eye.fov * Math.PI) / 360) * this.#distance;
      const across = new Vector3().setFromMatrixColumn(this.eye.matrixWorld, 0);
      const up = new Vector3().setFromMatrixColumn(this.eye.matrixWorld, 1);
      this.#target
        .addScaledVector(across, ((seen.x0 + seen.x1 - free.x0 - free.x1) / 2) * half * this.eye.aspect)
        .addScaledVector(up, ((seen.y0 + seen.y1 - free.y0 - free.y1) / 2) * half);
      const fills = Math.max((seen.x1 - seen.x0) / (free.x1 - free.x0), (seen.y1 - seen.y0) / (free.y1 - free.y0));
      this.#distance = within(this.#distance * Math.min(2, Math.max(0.5, fills)));
    }
    this.#apply();
  }

  /** As links tell it. */
  get place(): CameraPlace {
    return [this.#yaw, this.#pitch, this.#distance, ...this.#target.toArray()];
  }

  set place([yaw, pitch, distance, x, y, z]: CameraPlace) {
    this.#yaw = yaw;
    this.#pitch = Math.min(MOST_PITCH, Math.max(-MOST_PITCH, pitch));
    this.#distance = within(distance);
    this.#target.set(x, y, z);
    this.#apply();
  }

  /** The part of the picture that nothing lies over, from -1 to 1. */
  #free(): { x0: number; x1: number; y0: number; y1: number } {
    const bottom = this.#width < NARROW.width ? NARROW.bottom : MARGIN.bottom;
    const [across, below, above] = [(2 * MARGIN.side) / this.#width, (2 * bottom) / this.#height, (2 * MARGIN.top) / this.#height];
    // A stage of a few pixels has no room for margins.
    const [side, low, high] = [across, below, above].map((share) => Math.min(0.4, share)) as [number, number, number];
    return { x0: -1 + side, x1: 1 - side, y0: -1 + low, y1: 1 - high };
  }

  orbit(dx: number, dy: number): void {
    this.#yaw -= dx * TURN;
    this.#pitch = Math.min(MOST_PITCH, Math.max(-MOST_PITCH, this.#pitch + dy * TURN));
    this.#apply();
  }

  /** The world goes with the pointer. */
  pan(dx: number, dy: number): void {
    const metres = (2 * this.#distance * Math.tan((this.eye.fov * Math.PI) / 360)) / this.#height;
    const across = new Vector3().setFromMatrixColumn(this.eye.matrixWorld, 0);
    const up = new Vector3().setFromMatrixColumn(this.eye.matrixWorld, 1);
    this.#target.addScaledVector(across, -dx * metres).addScaledVector(up, dy * metres);
    this.#apply();
  }

  zoom(factor: number): void {
    this.#distance = within(this.#distance / factor);
    this.#apply();
  }

  /** From the eye through a point of the canvas. */
  ray(x: number, y: number): { origin: Vector3; direction: Vector3 } {
    const through = new Vector3((2 * x) / this.#width - 1, 1 - (2 * y) / this.#height, 0.5).unproject(this.eye);
    const origin = this.eye.position.clone();
    return { origin, direction: through.sub(origin).normalize() };
  }

  /** The point of this ray that is as far away as another point. */
  atDepthOf(point: Vector3, x: number, y: number): Vector3 {
    const { origin, direction } = this.ray(x, y);
    const ahead = this.eye.getWorldDirection(new Vector3());
    const depth = point.clone().sub(origin).dot(ahead);
    return origin.addScaledVector(direction, depth / Math.max(1e-6, direction.dot(ahead)));
  }

  /** Along the ground as it is seen: to the right, up, and away from the eye. */
  level({ across, up, away }: { across: number; up: number; away: number }): Vector3 {
    const right = new Vector3(Math.cos(this.#yaw), 0, -Math.sin(this.#yaw));
    const ahead = new Vector3(-Math.sin(this.#yaw), 0, -Math.cos(this.#yaw));
    return right.multiplyScalar(across).addScaledVector(ahead, away).add(new Vector3(0, up, 0));
  }

  /** Where a point is drawn, in CSS pixels; nowhere if it is out of sight. */
  on([x, y, z]: readonly [number, number, number]): { x: number; y: number } | null {
    const seen = new Vector3(x, y, z).project(this.eye);
    if (Math.max(Math.abs(seen.x), Math.abs(seen.y)) > 1 || Math.abs(seen.z) > 1) return null;
    return { x: ((seen.x + 1) / 2) * this.#width, y: ((1 - seen.y) / 2) * this.#height };
  }

  /** Where on the canvas, from 0 to 1. */
  across(x: number, y: number, z: number): number {
    return Math.min(1, Math.max(0, (new Vector3(x, y, z).project(this.eye).x + 1) / 2));
  }

  get middle(): { x: number; y: number } {
    return { x: this.#width / 2, y: this.#height / 2 };
  }

  get distance(): number {
    return this.#distance;
  }

  #apply(): void {
    const flat = Math.cos(this.#pitch) * this.#distance;
    this.eye.position.set(
      this.#target.x + Math.sin(this.#yaw) * flat,
      this.#target.y + Math.sin(this.#pitch) * this.#distance,
      this.#target.z + Math.cos(this.#yaw) * flat,
    );
    this.eye.near = this.#distance / 100;
    this.eye.far = this.#distance * 12 + 50;
    this.eye.lookAt(this.#target);
    this.eye.updateProjectionMatrix();
    this.eye.updateMatrixWorld();
  }
}

/** How far away the eye may be. */
function within(distance: number): number {
  return Math.min(FARTHEST, Math.max(NEAREST, distance));
}

function cornersOf({ min, max }: Extent): Vector3[] {
  return Array.from(
    { length: 8 },
    (_, corner) => new Vector3(corner & 1 ? max[0] : min[0], corner & 2 ? max[1] : min[1], corner & 4 ? max[2] : min[2]),
  );
}
