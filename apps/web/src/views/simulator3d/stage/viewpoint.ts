/**
 * From where does somebody look at the world, and who chose that?
 *
 * Whoever has not moved sees the whole scene, however large the stage is. A view that is being turned is told when it rests.
 */
import { type CameraPlace, OrbitCamera } from '../../../shared/stage/orbit-camera.ts';
import type { Size } from '../../../shared/stage/runners.ts';
import type { ToWorker } from '../protocol.ts';
import type { Home } from './homes.ts';
import type { World } from './world.ts';

/** So long it rests. */
const VIEW_MS = 300;

export type Turned = Extract<ToWorker, { kind: 'orbit' | 'pan' | 'zoom' | 'home' }>;

interface Told {
  /** It rests where it is. */
  view: () => void;
  /** Where the selected body is drawn. */
  mark: (place: { x: number; y: number } | null) => void;
}

export class Viewpoint {
  readonly camera = new OrbitCamera();
  readonly #told: Told;
  /** What of it is in view, as long as nobody moves the view. */
  #atHome: 'opening' | 'whole' | null = 'opening';
  #home: Home = {};
  #rest: ReturnType<typeof setTimeout> | undefined;
  /** Where the selected body was drawn, as it was told. */
  #marked = '';

  constructor(told: Told) {
    this.#told = told;
  }

  /** From where it is seen, if somebody chose that. */
  get place(): CameraPlace | null {
    return this.#atHome === null ? this.camera.place : null;
  }

  /** Another world, seen from here, or as it opens. */
  open(world: World, home: Home, camera: CameraPlace | null): void {
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
    this.#rest = setTimeout(this.#told.view, VIEW_MS);
  }

  resize({ width, height }: Size, world: World | null): void {
    this.camera.resize(width, height);
    if (world !== null && this.#atHome !== null) this.#goHome(world, this.#atHome);
  }

  /** The selected body is drawn here; told when it moves by what can be seen. */
  mark(body: readonly [number, number, number] | null): void {
    const place = body === null ? null : this.camera.on(body);
    const now = place === null ? '' : `${place.x.toFixed(1)} ${place.y.toFixed(1)}`;
    if (now === this.#marked) return;
    this.#marked = now;
    this.#told.mark(place);
  }

  /** As it opens, or all that there is now. */
  #goHome(world: World, shows: 'opening' | 'whole'): void {
    this.#atHome = shows;
    world.lookAround();
    const opening = shows === 'opening' ? this.#home.boxes : undefined;
    this.camera.home(opening ?? world.picture.boxesInView(world.rules.bounds), this.#home.side);
  }
}
