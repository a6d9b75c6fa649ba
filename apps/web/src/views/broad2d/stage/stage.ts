/**
 * Stage of the 2D view: handles the page's messages, in a worker or on the main thread.
 *
 * An engine failure is reported in `failed`, exactly once, and ends the stage: it never goes blank
 * silently. If the engine rejects a scene, the previous one keeps running.
 */

import type { Size } from '../../../shared/stage/worker-or-main-thread.ts';
import type { Catalog, Colors, Seen, ToWorker } from '../workers/protocol.ts';
import { StageRenderer } from './draw.ts';
import type { Engine } from '../workers/engine.ts';
import { Experiment } from '../workers/experiment.ts';
import { Live, pictureOf } from '../workers/live-scene.ts';
import { EngineLifecycle } from '../../../shared/stage/engine-lifecycle.ts';
import { FrameLoop } from '../../../shared/stage/frame-loop.ts';
import { MeasurementQueue, type MeasurementRequest } from '../workers/measurement-queue.ts';
import { Rejection, World } from '../workers/world-run.ts';
import type { From } from '../workers/start.ts';

type Message<Kind extends ToWorker['kind']> = Extract<ToWorker, { kind: Kind }>;

export class Stage {
  readonly #post: (reply: From) => void;
  readonly #lifecycle: EngineLifecycle<Engine, ToWorker>;

  readonly #live = new Live();
  readonly #loop = new FrameLoop({
    frame: () => this.#lifecycle.guarded(() => this.#withWorld((world) => this.#live.makeFrame(world))),
    draw: () => this.#lifecycle.guarded(() => this.#draw()),
    report: (fps, stepped) => this.#lifecycle.guarded(() => this.#report(fps, stepped)),
  });
  #renderer: StageRenderer | null = null;
  #colors: Colors | null = null;
  #playsAfterExperiment = false;
  readonly #measurements = new MeasurementQueue({
    begin: (request) => this.#beginExperiment(request),
    cancelled: (id) => this.#announceUnlessOver({ kind: 'finished', id, cancelled: true }),
    ended: () => this.#lifecycle.guarded(() => this.#endExperiment()),
    failed: (error) => this.#lifecycle.fail(error),
  });
  /** The last reported visible state. */
  #seen: Seen | null = null;

  constructor(post: (reply: From) => void, load: () => Promise<Engine>) {
    this.#post = post;
    this.#lifecycle = new EngineLifecycle(load, {
      begin: (engine) => this.#post({ kind: 'ready', catalog: JSON.parse(engine.catalog()) as Catalog }),
      act: (message) => this.#act(message),
      ended: () => {
        this.#loop.stop();
        this.#measurements.cancelAll();
      },
      failed: (message) => this.#post({ kind: 'failed', message }),
    });
  }

  receive(message: ToWorker): void {
    if (this.#lifecycle.isOver) return;
    // Acknowledged before the work starts: the proxy then knows that the message was not lost
    // during an earlier long frame.
    if (message.kind === 'start' || message.kind === 'change') this.#post({ kind: 'acknowledged', requestId: message.requestId });
    this.#lifecycle.receive(message);
  }

  /** Sends nothing further. */
  close(): void {
    if (!this.#lifecycle.isOver) this.#live.world?.free();
    this.#lifecycle.end();
  }

  #act(message: ToWorker): void {
    switch (message.kind) {
      case 'canvas':
        this.#renderer = new StageRenderer(message.canvas, message.size);
        if (this.#colors !== null) this.#renderer.colors = this.#colors;
        this.#resize(message.size);
        break;
      case 'resize':
        this.#renderer?.resize(message.size);
        this.#resize(message.size);
        break;
      case 'theme':
        this.#colors = message.colors;
        if (this.#renderer !== null) this.#renderer.colors = message.colors;
        this.#loop.redraw();
        break;
      case 'overlays':
        this.#live.overlays = message.overlays;
        this.#loop.redraw();
        break;
      case 'start':
        this.#start(message);
        break;
      case 'change':
        this.#change(message);
        break;
      case 'play':
      case 'pause':
        this.#setPlaying(message.kind === 'play');
        break;
      case 'measure':
        this.#measurements.request(message);
        break;
      case 'cancel':
        this.#measurements.cancel(message.id);
        break;
      case 'advise':
        this.#withWorld((world) => this.#post({ kind: 'advice', ...world.advice() }));
        break;
      default:
        // During an experiment the scene is hidden and not moved.
        if (!this.#measurements.isRunning) this.#withWorld((world) => this.#move(world, message));
    }
  }

  /** User actions on the scene or the view. */
  #move(
    world: World,
    message: Message<'step' | 'select-at' | 'point-at' | 'select' | 'select-by' | 'pan' | 'zoom' | 'fit'>,
  ): void {
    switch (message.kind) {
      case 'step':
        if (this.#loop.playing) this.#setPlaying(false);
        this.#loop.step();
        break;
      case 'select-at':
        this.#live.pointAt({ x: message.x, y: message.y }, true, message.reach);
        break;
      case 'point-at':
        this.#live.pointAt(message.place, false);
        break;
      case 'select':
        this.#live.select(message.object !== null && world.has(message.object) ? message.object : null);
        this.#reportSelection(world, true);
        break;
      case 'select-by':
        this.#live.selectBy(world, message.by);
        this.#reportSelection(world, true);
        break;
      case 'pan':
        this.#live.pan(world, message.dx, message.dy);
        break;
      case 'zoom':
        this.#live.zoom(world, message.factor, message.x, message.y);
        break;
      case 'fit':
        this.#live.fit(world);
        break;
    }
    this.#loop.redraw();
  }

  #start({ requestId, parameters, playing, selected, frame = 0 }: Message<'start'>): void {
    const engine = this.#lifecycle.engine;
    if (engine === null) return;
    const world = this.#unlessRefused(requestId, () => new World(engine, parameters));
    if (world === null) return;
    world.goTo(frame);
    this.#measurements.cancelAll();
    this.#playsAfterExperiment = playing;
    const hadSelected = this.#live.selected !== null;
    this.#live.begin(world);
    if (selected !== undefined) this.#live.select(selected !== null && world.has(selected) ? selected : null);
    this.#post({ kind: 'started', requestId, parameters: world.parameters });
    this.#setPlaying(playing);
    this.#loop.report();
    // Also reports a selection that is gone: a smaller world may lack the selected object.
    if (hadSelected || selected !== undefined) this.#reportSelection(world, false);
    // A replacement worker also reports the default state: the previous worker may have reported
    // another.
    this.#seen = null;
    this.#loop.redraw();
  }

  #change({ requestId, technique, cellSize }: Message<'change'>): void {
    const world = this.#live.world;
    if (world === null) return;
    const changed = this.#unlessRefused(requestId, () => {
      this.#live.change(world, technique, cellSize);
      return true;
    });
    if (changed === null) return;
    this.#measurements.cancelAll();
    this.#post({ kind: 'changed', requestId, parameters: world.parameters });
    this.#loop.report();
    if (this.#live.selected !== null) this.#reportSelection(world, false);
    this.#loop.redraw();
  }

  #setPlaying(playing: boolean): void {
    if (this.#measurements.isRunning) {
      this.#playsAfterExperiment = playing;
    } else if (playing && this.#live.world !== null) {
      this.#loop.play();
    } else {
      this.#loop.pause();
    }
    this.#post({ kind: 'playing', playing });
  }

  #beginExperiment({ id, cases }: MeasurementRequest): Experiment | null {
    if (this.#lifecycle.engine === null || this.#lifecycle.isOver) return null;
    this.#playsAfterExperiment = this.#loop.playing;
    this.#loop.pause();
    const draw = (world: World): void => {
      this.#renderer?.paint(pictureOf(world, this.#live.viewOfWhole(world)));
    };
    return new Experiment(this.#lifecycle.engine, { id, cases, draw, post: (reply) => this.#announceUnlessOver(reply) });
  }

  /** The scene resumes where it was. */
  #endExperiment(): void {
    if (this.#playsAfterExperiment) this.#loop.play();
    this.#loop.redraw();
  }

  #resize(size: Size): void {
    this.#live.resize(size);
    // Resizing clears a canvas; redraw at once to avoid flicker.
    this.#draw();
  }

  #draw(): void {
    if (this.#measurements.isRunning) return;
    if (this.#live.world === null) this.#renderer?.paintNothing();
    this.#withWorld((world) => {
      const now = performance.now();
      const stays = !this.#loop.running;
      const pointed = this.#live.takePoint(world);
      this.#live.observe(world, now, stays);
      this.#renderer?.paint(this.#live.picture(world));
      const selection = pointed === null ? this.#live.dueReport(now, stays) : this.#live.selectionReport(now);
      if (pointed !== null || selection !== null) {
        this.#post({ kind: 'selected', selection, chosen: pointed === 'chosen' });
      }
      this.#reportVisible(this.#live.seen(world));
      // A paused scene sends no further report.
      if (stays && !this.#live.hasReportedLevels) this.#loop.report();
    });
  }

  #reportVisible(seen: Seen): void {
    if (seen.empty === this.#seen?.empty && seen.whole === this.#seen.whole) return;
    this.#seen = seen;
    this.#post({ kind: 'seen', seen });
  }

  #report(fps: number, stepped: boolean): void {
    this.#withWorld((world) => {
      this.#post({ kind: 'frame', report: { ...this.#live.report(world, fps), stepped } });
    });
  }

  #reportSelection(world: World, chosen: boolean): void {
    const now = performance.now();
    this.#live.observe(world, now, !this.#loop.running);
    this.#post({ kind: 'selected', selection: this.#live.selectionReport(now), chosen });
  }

  #announceUnlessOver(reply: From): void {
    if (!this.#lifecycle.isOver) this.#post(reply);
  }

  #withWorld(call: (world: World) => void): void {
    if (this.#live.world !== null) call(this.#live.world);
  }

  #unlessRefused<T>(requestId: number, call: () => T): T | null {
    try {
      return call();
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      this.#post({ kind: 'refused', requestId, problems: error.problems });
      return null;
    }
  }
}
