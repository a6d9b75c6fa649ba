/**
 * Stage of the rays view: handles messages of page and inspector, in a worker or on the main
 * thread.
 *
 * It holds the camera and draws. A failure is reported in `failed`, exactly once, and ends the
 * stage: it never goes blank silently.
 */
import { FrameLoop } from '../../../shared/stage/frame-loop.ts';
import { OrbitCamera } from '../../../shared/webgl/orbit-camera.ts';
import type { Size } from '../../../shared/stage/worker-or-main-thread.ts';
import type { Vector } from '../../../shared/vector.ts';
import type { Colors, FromStage, Shown, Tag, TagName, ToStage, ToStageByPort } from '../workers/protocol.ts';
import { drawBoxes, drawOverlays } from './overlays.ts';
import { type Mesh, noOverlays, Renderer } from './renderer.ts';

/** Delay after the last camera movement until the view is reported. */
const REPORT_MS = 250;

export class Stage {
  readonly #post: (reply: FromStage) => void;
  readonly #camera = new OrbitCamera();
  readonly #overlays = noOverlays();
  #renderer: Renderer | null = null;
  #colors: Colors | null = null;
  #size: Size | null = null;
  #mesh: Mesh | null = null;
  #boxes = new Float32Array();
  #shown: Shown | null = null;
  #port: MessagePort | null = null;
  /** The camera shows the whole mesh; the user has not moved it. */
  #atHome = true;
  #isOver = false;
  #reportedTags = '';
  #updateVisibleSoon: ReturnType<typeof setTimeout> | undefined;
  readonly #loop = new FrameLoop({
    frame: () => undefined,
    draw: () => this.#guarded(() => this.#draw()),
    report: () => undefined,
  });

  constructor(post: (reply: FromStage) => void) {
    this.#post = post;
    this.#post({ kind: 'ready' });
  }

  receive(message: ToStage): void {
    this.#guarded(() => this.#act(message));
  }

  /** Sends nothing further. */
  close(): void {
    this.#isOver = true;
    this.#loop.stop();
    clearTimeout(this.#updateVisibleSoon);
    this.#port?.close();
    this.#renderer?.close();
  }

  #guarded(call: () => void): void {
    if (this.#isOver) return;
    try {
      call();
    } catch (error) {
      this.#isOver = true;
      this.#loop.stop();
      this.#post({ kind: 'failed', message: String(error) });
    }
  }

  #act(message: ToStage): void {
    switch (message.kind) {
      case 'canvas':
        this.#renderer = Renderer.on(message.canvas, () => this.#guarded(() => this.#repaint()));
        if (this.#renderer === null) this.#post({ kind: 'no-renderer' });
        if (this.#mesh !== null) this.#renderer?.shape(this.#mesh);
        this.#resize(message.size);
        this.#repaint();
        break;
      case 'resize':
        this.#resize(message.size);
        this.#draw();
        break;
      case 'theme':
        this.#colors = message.colors;
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
        this.#through(message.requestId, message.place ?? this.#camera.middle);
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
    this.#renderer?.shape(message);
    this.#fillBoxes();
    this.#atHome = true;
    this.#goHome();
    this.#moved();
  }

  #through(requestId: number, { x, y }: { x: number; y: number }): void {
    const [origin, direction] = [this.#camera.eye, this.#camera.direction(x, y)];
    const { min, max } = this.#mesh ?? { min: origin, max: origin };
    const far = Math.hypot(...origin.map((part, axis) => (min[axis]! + max[axis]!) / 2 - part));
    const beside = origin.map((part, axis) => part + far * direction[axis]!) as Vector;
    this.#post({ kind: 'through', requestId, ray: { origin, direction }, beside });
  }

  #goHome(): void {
    if (this.#mesh !== null) this.#camera.home([{ min: this.#mesh.min, max: this.#mesh.max }]);
  }

  #moved(): void {
    this.#loop.redraw();
    this.#seen(REPORT_MS);
  }

  #seen(after: number): void {
    clearTimeout(this.#updateVisibleSoon);
    this.#updateVisibleSoon = setTimeout(() => {
      if (this.#mesh === null || this.#size === null || this.#isOver) return;
      const { eye, target: at, place, aspect } = this.#camera;
      this.#post({ kind: 'seen', seen: { eye, at, place, isHome: this.#atHome, aspect } });
    }, after);
  }

  #resize(size: Size): void {
    this.#size = size;
    this.#renderer?.resize(size);
    this.#camera.resize(size.width, size.height);
    // An unmoved camera keeps showing the whole mesh when the stage is resized.
    if (this.#atHome) this.#goHome();
    this.#seen(REPORT_MS);
  }

  /** After a theme change or a restored context. */
  #repaint(): void {
    if (this.#colors !== null) this.#renderer?.theme(this.#colors);
    this.#fillBoxes();
    this.#loop.redraw();
  }

  #fillBoxes(): void {
    if (this.#colors === null) return;
    drawBoxes(this.#overlays.boxes, this.#boxes, this.#colors);
    this.#renderer?.fillBoxes(this.#overlays.boxes);
  }

  #draw(): void {
    if (this.#colors === null || this.#size === null) return;
    if (this.#mesh !== null && this.#shown !== null) drawOverlays(this.#overlays, this.#shown, this.#mesh, this.#colors);
    else if (this.#shown === null) for (const name of ['within', 'above', 'faces', 'points'] as const) this.#overlays[name].clear();
    this.#renderer?.paint(this.#camera, this.#overlays);
    this.#reportTags();
  }

  #reportTags(): void {
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
    const signature = tags.map(({ name, x, y }) => `${name} ${x.toFixed(1)} ${y.toFixed(1)}`).join();
    if (signature === this.#reportedTags) return;
    this.#reportedTags = signature;
    this.#post({ kind: 'tags', tags });
  }
}
