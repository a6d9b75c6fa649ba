/**
 * What does the stage do with what the page and the bench say?
 *
 * The same class runs on a worker or on the page's own thread. It draws, and knows from where; nothing else. Promise: it
 * never goes blank in silence. Whatever it dies of is said in a `failed`, once, and nothing is done after it.
 */
import { Loop } from '../../../shared/stage/loop.ts';
import { OrbitCamera } from '../../../shared/stage/orbit-camera.ts';
import type { Size } from '../../../shared/stage/runners.ts';
import type { Vector } from '../../../shared/vector.ts';
import type { Colours, FromStage, Shown, Tag, TagName, ToStage, ToStageByPort } from '../protocol.ts';
import { drawBoxes, drawOverlays } from './overlays.ts';
import { type Mesh, noOverlays, Painter } from './painter.ts';

/** A view that is being turned is told when it rests. */
const SEEN_MS = 250;

export class Stage {
  readonly #say: (said: FromStage) => void;
  readonly #camera = new OrbitCamera();
  readonly #overlays = noOverlays();
  #painter: Painter | null = null;
  #colours: Colours | null = null;
  #size: Size | null = null;
  #mesh: Mesh | null = null;
  #boxes = new Float32Array();
  #shown: Shown | null = null;
  #port: MessagePort | null = null;
  /** All of the mesh is in view, as long as nobody moves the view. */
  #atHome = true;
  #isOver = false;
  #toldTags = '';
  #seenSoon: ReturnType<typeof setTimeout> | undefined;
  readonly #loop = new Loop({
    frame: () => undefined,
    draw: () => this.#guarded(() => this.#draw()),
    report: () => undefined,
  });

  constructor(say: (said: FromStage) => void) {
    this.#say = say;
    this.#say({ kind: 'ready' });
  }

  receive(message: ToStage): void {
    this.#guarded(() => this.#act(message));
  }

  /** Nothing is said any more. */
  close(): void {
    this.#isOver = true;
    this.#loop.stop();
    clearTimeout(this.#seenSoon);
    this.#port?.close();
    this.#painter?.close();
  }

  #guarded(call: () => void): void {
    if (this.#isOver) return;
    try {
      call();
    } catch (error) {
      this.#isOver = true;
      this.#loop.stop();
      this.#say({ kind: 'failed', message: String(error) });
    }
  }

  #act(message: ToStage): void {
    switch (message.kind) {
      case 'canvas':
        this.#painter = Painter.on(message.canvas, () => this.#guarded(() => this.#repaint()));
        if (this.#painter === null) this.#say({ kind: 'unseen' });
        if (this.#mesh !== null) this.#painter?.shape(this.#mesh);
        this.#resize(message.size);
        this.#repaint();
        break;
      case 'resize':
        this.#resize(message.size);
        this.#draw();
        break;
      case 'theme':
        this.#colours = message.colours;
        this.#repaint();
        break;
      case 'port':
        this.#port?.close();
        this.#port = message.port;
        message.port.onmessage = (event: MessageEvent<ToStageByPort>) => this.#guarded(() => this.#take(event.data));
        break;
      case 'shown':
        this.#shown = message.shown;
        this.#loop.redraw();
        break;
      case 'camera':
        this.#atHome = message.place === null;
        if (message.place === null) this.#goHome();
        else this.#camera.place = message.place;
        this.#moved();
        break;
      case 'orbit':
        this.#atHome = false;
        this.#camera.orbit(message.dx, message.dy);
        this.#moved();
        break;
      case 'pan':
        this.#atHome = false;
        this.#camera.pan(message.dx, message.dy);
        this.#moved();
        break;
      case 'zoom':
        this.#atHome = false;
        this.#camera.zoom(message.factor);
        this.#moved();
        break;
      case 'home':
        this.#atHome = true;
        this.#goHome();
        this.#moved();
        break;
      case 'through':
        this.#through(message.ask, message.place ?? this.#camera.middle);
        break;
    }
  }

  #take(message: ToStageByPort): void {
    if (message.kind === 'boxes') {
      this.#boxes = new Float32Array(message.boxes);
      this.#fillBoxes();
      this.#loop.redraw();
      return;
    }
    this.#mesh = message;
    this.#boxes = new Float32Array();
    this.#shown = null;
    const size = Math.max(1e-30, Math.hypot(...message.max.map((greatest, axis) => greatest - message.min[axis]!)));
    this.#camera.reach = { nearest: 0.004 * size, farthest: 40 * size, smallest: 1e-6 * size, beyond: 5 * size };
    this.#painter?.shape(message);
    this.#fillBoxes();
    this.#atHome = true;
    this.#goHome();
    this.#moved();
  }

  #through(ask: number, { x, y }: { x: number; y: number }): void {
    const [origin, direction] = [this.#camera.eye, this.#camera.direction(x, y)];
    const { min, max } = this.#mesh ?? { min: origin, max: origin };
    const far = Math.hypot(...origin.map((part, axis) => (min[axis]! + max[axis]!) / 2 - part));
    const beside = origin.map((part, axis) => part + far * direction[axis]!) as Vector;
    this.#say({ kind: 'through', ask, ray: { origin, direction }, beside });
  }

  #goHome(): void {
    if (this.#mesh !== null) this.#camera.home([{ min: this.#mesh.min, max: this.#mesh.max }]);
  }

  #moved(): void {
    this.#loop.redraw();
    this.#seen(SEEN_MS);
  }

  #seen(after: number): void {
    clearTimeout(this.#seenSoon);
    this.#seenSoon = setTimeout(() => {
      if (this.#mesh === null || this.#size === null || this.#isOver) return;
      const { eye, target: at, place, aspect } = this.#camera;
      this.#say({ kind: 'seen', seen: { eye, at, place, isHome: this.#atHome, aspect } });
    }, after);
  }

  #resize(size: Size): void {
    this.#size = size;
    this.#painter?.resize(size);
    this.#camera.resize(size.width, size.height);
    // Whoever has not moved sees the whole mesh, however large the stage is.
    if (this.#atHome) this.#goHome();
    this.#seen(SEEN_MS);
  }

  /** Other colours, or a picture that was lost. */
  #repaint(): void {
    if (this.#colours !== null) this.#painter?.theme(this.#colours);
    this.#fillBoxes();
    this.#loop.redraw();
  }

  #fillBoxes(): void {
    if (this.#colours === null) return;
    drawBoxes(this.#overlays.boxes, this.#boxes, this.#colours);
    this.#painter?.fillBoxes(this.#overlays.boxes);
  }

  #draw(): void {
    if (this.#colours === null || this.#size === null) return;
    if (this.#mesh !== null && this.#shown !== null) drawOverlays(this.#overlays, this.#shown, this.#mesh, this.#colours);
    else if (this.#shown === null) for (const name of ['within', 'above', 'faces', 'points'] as const) this.#overlays[name].clear();
    this.#painter?.paint(this.#camera, this.#overlays);
    this.#tellTags();
  }

  #tellTags(): void {
    const shown = this.#shown;
    const tags: Tag[] = [];
    const add = (name: TagName, point: Vector | null | undefined): void => {
      const place = point == null ? null : this.#camera.on(point);
      if (place !== null) tags.push({ name, ...place });
    };
    add('origin', shown?.ray?.origin);
    add('hit', shown?.at?.point);
    add('a', shown?.sight?.ends[0] ?? shown?.placed);
    add('b', shown?.sight?.ends[1]);
    add('block', shown?.sight?.result?.at?.point);
    const told = tags.map(({ name, x, y }) => `${name} ${x.toFixed(1)} ${y.toFixed(1)}`).join();
    if (told === this.#toldTags) return;
    this.#toldTags = told;
    this.#say({ kind: 'tags', tags });
  }
}
