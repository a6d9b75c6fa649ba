/** Draws a world on the stage, or two worlds of a comparison in halves; uploads changed shapes. */
import type { OrbitCamera } from '../../../shared/webgl/orbit-camera.ts';
import type { Size } from '../../../shared/stage/worker-or-main-thread.ts';
import type { DisplayOptions } from '../workers/protocol.ts';
import type { Companion } from '../workers/companion.ts';
import type { World } from '../workers/world.ts';
import { halfRegions } from './halves.ts';
import type { Renderer } from './renderer.ts';

export class WorldRenderer {
  readonly renderer: Renderer;
  /** Version of the shapes in the renderer; null before the first. */
  #shaped: number | null = null;
  /** The compared world whose shapes are in the renderer's twin, with their version. */
  #twinShows: { companion: Companion; version: number } | null = null;

  constructor(renderer: Renderer) {
    this.renderer = renderer;
  }

  /** Uploads shapes that have changed; most edits change none. */
  shape({ simulator, companion }: World): void {
    if (this.#shaped !== simulator.shapeVersion) {
      this.#shaped = simulator.shapeVersion;
      this.renderer.shape(simulator);
    }
    if (companion === null) return;
    const version = companion.simulator.shapeVersion;
    if (this.#twinShows?.companion === companion && this.#twinShows.version === version) return;
    this.#twinShows = { companion, version };
    this.renderer.twin.shape(companion.simulator);
  }

  /** Another world, or a restored context: all shapes are uploaded again. */
  forgetShapes(): void {
    this.#shaped = null;
    this.#twinShows = null;
  }

  paint(world: World, camera: OrbitCamera, display: DisplayOptions, size: Size): void {
    const { picture, simulator, companion } = world;
    const shown = world.shown();
    if (companion === null) {
      this.renderer.paint(picture, simulator, camera, display, shown);
      return;
    }
    companion.picture.look(companion.simulator);
    const [first, second] = halfRegions(size);
    this.renderer.paint(picture, simulator, camera, display, shown, first);
    this.renderer.twin.paint(companion.picture, companion.simulator, camera, display, shown, second);
  }
}
