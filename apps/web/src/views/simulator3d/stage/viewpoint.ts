/**
 * Camera of the stage, and whether the user has moved it.
 *
 * An unmoved camera keeps showing the whole scene when the stage is resized. A moved camera is
 * reported when it is at rest.
 */
import { type CameraPlace, type Extent, OrbitCamera } from '../../../shared/webgl/orbit-camera.ts';
import type { Size } from '../../../shared/stage/worker-or-main-thread.ts';
import type { ToWorker } from '../workers/protocol.ts';
import type { PresetCamera } from './preset-cameras.ts';
import type { World } from '../workers/world.ts';

/** The camera moves back by this factor, at most so many times, until a body is in view. */
const BACK = 1 / 1.12;
const MOST_BACK = 30;
/** CSS pixels at the edges of the stage; the buttons are at its top. */
const EDGE = { top: 46, other: 8 };

/** Delay after the last movement. */
const VIEW_MS = 300;

export type Turned = Extract<ToWorker, { kind: 'orbit' | 'pan' | 'zoom' | 'home' }>;

interface Callbacks {
  /** The camera is at rest. */
  view: () => void;
  /** Position of the selected body on the stage. */
  mark: (place: { x: number; y: number } | null) => void;
}

export class Viewpoint {
  readonly camera = new OrbitCamera();
  readonly #callbacks: Callbacks;
  /** What an unmoved camera frames; null once the user has moved it. */
  #atHome: 'opening' | 'whole' | null = 'opening';
  #home: PresetCamera = {};
  #rest: ReturnType<typeof setTimeout> | undefined;
  /** Last reported position of the selected body. */
  #marked = '';

  constructor(callbacks: Callbacks) {
    this.#callbacks = callbacks;
  }

  /** The camera, if the user has moved it. */
  get place(): CameraPlace | null {
    return this.#atHome === null ? this.camera.place : null;
  }

  /** Opens another world with this camera, or the initial one. */
  open(world: World, home: PresetCamera, camera: CameraPlace | null): void {
    this.#home = home;
    if (camera === null) {
      this.#goHome(world, 'opening');
    } else {
      this.#atHome = null;
      this.camera.place = camera;
    }
  }

  turn(world: World, message: Turned): void {
    if (message.kind !== 'home') this.#atHome = null;
    switch (message.kind) {
      case 'orbit':
        this.camera.orbit(message.dx, message.dy);
        break;
      case 'pan':
        this.camera.pan(message.dx, message.dy);
        break;
      case 'zoom':
        this.camera.zoom(message.factor);
        break;
      case 'home':
        this.#goHome(world, 'whole');
    }
    clearTimeout(this.#rest);
    this.#rest = setTimeout(this.#callbacks.view, VIEW_MS);
  }

  /** Brings a new body into view: frames the scene again, or moves a moved camera back. */
  include(world: World, body: Extent): void {
    // A stage without a size shows nothing yet.
    if (this.camera.middle.x < EDGE.top || this.#sees(body)) return;
    if (this.#atHome !== null) this.#goHome(world, 'whole');
    for (let times = 0; times < MOST_BACK && !this.#sees(body); times += 1) this.camera.zoom(BACK);
    clearTimeout(this.#rest);
    this.#rest = setTimeout(this.#callbacks.view, VIEW_MS);
  }

  resize({ width, height }: Size, world: World | null): void {
    this.camera.resize(width, height);
    if (world !== null && this.#atHome !== null) this.#goHome(world, this.#atHome);
  }

  /** Position of the selected body; reported if it changes visibly. */
  mark(body: readonly [number, number, number] | null): void {
    const place = body === null ? null : this.camera.on(body);
    const now = place === null ? '' : `${place.x.toFixed(1)} ${place.y.toFixed(1)}`;
    if (now === this.#marked) return;
    this.#marked = now;
    this.#callbacks.mark(place);
  }

  #sees({ min, max }: Extent): boolean {
    const middle = this.camera.middle;
    return [0, 1, 2, 3, 4, 5, 6, 7].every((corner) => {
      const place = this.camera.on([corner & 1 ? max[0] : min[0], corner & 2 ? max[1] : min[1], corner & 4 ? max[2] : min[2]]);
      if (place === null || place.y < EDGE.top || place.y > 2 * middle.y - EDGE.other) return false;
      return place.x > EDGE.other && place.x < 2 * middle.x - EDGE.other;
    });
  }

  /** Frames the initial view, or all current bodies. */
  #goHome(world: World, shows: 'opening' | 'whole'): void {
    this.#atHome = shows;
    world.lookAround();
    const opening = shows === 'opening' ? this.#home.boxes : undefined;
    this.camera.home(opening ?? world.picture.boxesInView(world.rules.bounds, shows === 'whole'), this.#home.side);
  }
}
