/**
 * What does the stage do with what the page says?
 *
 * The same class runs on a worker or on the page's own thread. Promise: it never goes blank in
 * silence. Whatever the engine dies of is said in a `failed`, once, and nothing is done after it.
 * A scene that the engine refuses leaves the one before running.
 */

import type { Size } from '../../../shared/stage/runners.ts';
import type { Catalogue, Colours, Seen, ToWorker } from '../protocol.ts';
import { Painter } from './draw.ts';
import type { Engine } from './engine.ts';
import { Experiment } from './experiment.ts';
import { Live, pictureOf } from './live.ts';
import { Keeper } from '../../../shared/stage/keeper.ts';
import { Loop } from '../../../shared/stage/loop.ts';
import { Measurements, type Wish } from './measurements.ts';
import { Refusal, World } from './run.ts';
import type { Said } from './begins.ts';

type Message<Kind extends ToWorker['kind']> = Extract<ToWorker, { kind: Kind }>;

export class Stage {
  readonly #say: (said: Said) => void;
  readonly #keeper: Keeper<Engine, ToWorker>;

  readonly #live = new Live();
  readonly #loop = new Loop({
    frame: () => this.#keeper.guarded(() => this.#withWorld((world) => this.#live.makeFrame(world))),
    draw: () => this.#keeper.guarded(() => this.#draw()),
    report: (fps, stepped) => this.#keeper.guarded(() => this.#report(fps, stepped)),
  });
  #painter: Painter | null = null;
  #colours: Colours | null = null;
  #playsAfterExperiment = false;
  readonly #measurements = new Measurements({
    begin: (wish) => this.#beginExperiment(wish),
    cancelled: (id) => this.#sayUnlessOver({ kind: 'finished', id, cancelled: true }),
    ended: () => this.#keeper.guarded(() => this.#endExperiment()),
    failed: (error) => this.#keeper.fail(error),
  });
  /** What was told last of what is seen. */
  #seen: Seen | null = null;

  constructor(say: (said: Said) => void, load: () => Promise<Engine>) {
    this.#say = say;
    this.#keeper = new Keeper(load, {
      begin: (engine) => this.#say({ kind: 'ready', catalogue: JSON.parse(engine.catalogue()) as Catalogue }),
      act: (message) => this.#act(message),
      ended: () => {
        this.#loop.stop();
        this.#measurements.cancelAll();
      },
      failed: (message) => this.#say({ kind: 'failed', message }),
    });
  }

  receive(message: ToWorker): void {
    if (this.#keeper.isOver) return;
    // Whatever it takes to do, the host knows that it was not lost in a long frame before.
    if (message.kind === 'start' || message.kind === 'change') this.#say({ kind: 'heard', ask: message.ask });
    this.#keeper.receive(message);
  }

  /** Nothing is said any more. */
  close(): void {
    if (!this.#keeper.isOver) this.#live.world?.free();
    this.#keeper.end();
  }

  #act(message: ToWorker): void {
    switch (message.kind) {
      case 'canvas':
        this.#painter = new Painter(message.canvas, message.size);
        if (this.#colours !== null) this.#painter.colours = this.#colours;
        this.#resize(message.size);
        break;
      case 'resize':
        this.#painter?.resize(message.size);
        this.#resize(message.size);
        break;
      case 'theme':
        this.#colours = message.colours;
        if (this.#painter !== null) this.#painter.colours = message.colours;
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
        this.#measurements.ask(message);
        break;
      case 'cancel':
        this.#measurements.cancel(message.id);
        break;
      case 'advise':
        this.#withWorld((world) => this.#say({ kind: 'advice', ...world.advice() }));
        break;
      default:
        // While an experiment runs the scene is not to be seen, so nothing in it is moved.
        if (!this.#measurements.isRunning) this.#withWorld((world) => this.#move(world, message));
    }
  }

  /** What somebody does to the scene or to the view of it. */
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
        this.#live.pointAt({ x: message.x, y: message.y }, true);
        break;
      case 'point-at':
        this.#live.pointAt(message.place, false);
        break;
      case 'select':
        this.#live.select(message.object !== null && world.has(message.object) ? message.object : null);
        this.#tellSelection(world, true);
        break;
      case 'select-by':
        this.#live.selectBy(world, message.by);
        this.#tellSelection(world, true);
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

  #start({ ask, parameters, playing, selected, frame = 0 }: Message<'start'>): void {
    const engine = this.#keeper.engine;
    if (engine === null) return;
    const world = this.#unlessRefused(ask, () => new World(engine, parameters));
    if (world === null) return;
    world.goTo(frame);
    this.#measurements.cancelAll();
    this.#playsAfterExperiment = playing;
    const hadSelected = this.#live.selected !== null;
    this.#live.begin(world);
    if (selected !== undefined) this.#live.select(selected !== null && world.has(selected) ? selected : null);
    this.#say({ kind: 'started', ask, parameters: world.parameters });
    this.#setPlaying(playing);
    this.#loop.report();
    // Also that there is none any more: a smaller world may not have the one that was selected.
    if (hadSelected || selected !== undefined) this.#tellSelection(world, false);
    // A worker that replaced another tells also what is as usual: the other may have told otherwise.
    this.#seen = null;
    this.#loop.redraw();
  }

  #change({ ask, technique, cellSize }: Message<'change'>): void {
    const world = this.#live.world;
    if (world === null) return;
    const changed = this.#unlessRefused(ask, () => {
      this.#live.change(world, technique, cellSize);
      return true;
    });
    if (changed === null) return;
    this.#measurements.cancelAll();
    this.#say({ kind: 'changed', ask, parameters: world.parameters });
    this.#loop.report();
    if (this.#live.selected !== null) this.#tellSelection(world, false);
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
    this.#say({ kind: 'playing', playing });
  }

  #beginExperiment({ id, cases }: Wish): Experiment | null {
    if (this.#keeper.engine === null || this.#keeper.isOver) return null;
    this.#playsAfterExperiment = this.#loop.playing;
    this.#loop.pause();
    const draw = (world: World): void => {
      this.#painter?.paint(pictureOf(world, this.#live.viewOfWhole(world)));
    };
    return new Experiment(this.#keeper.engine, { id, cases, draw, say: (said) => this.#sayUnlessOver(said) });
  }

  /** The scene goes on as it was. */
  #endExperiment(): void {
    if (this.#playsAfterExperiment) this.#loop.play();
    this.#loop.redraw();
  }

  #resize(size: Size): void {
    this.#live.resize(size);
    // A canvas that changes its size is blank; at once, so that nobody sees it.
    this.#draw();
  }

  #draw(): void {
    if (this.#measurements.isRunning) return;
    if (this.#live.world === null) this.#painter?.paintNothing();
    this.#withWorld((world) => {
      const now = performance.now();
      const stays = !this.#loop.running;
      const pointed = this.#live.takePoint(world);
      this.#live.observe(world, now, stays);
      this.#painter?.paint(this.#live.picture(world));
      const selection = pointed === null ? this.#live.news(now, stays) : this.#live.tell(now);
      if (pointed !== null || selection !== null) {
        this.#say({ kind: 'selected', selection, chosen: pointed === 'chosen' });
      }
      this.#tellSeen(this.#live.seen(world));
    });
  }

  #tellSeen(seen: Seen): void {
    if (seen.empty === this.#seen?.empty && seen.whole === this.#seen.whole) return;
    this.#seen = seen;
    this.#say({ kind: 'seen', seen });
  }

  #report(fps: number, stepped: boolean): void {
    this.#withWorld((world) => {
      this.#say({ kind: 'frame', report: { ...this.#live.report(world, fps), stepped } });
    });
  }

  #tellSelection(world: World, chosen: boolean): void {
    const now = performance.now();
    this.#live.observe(world, now, !this.#loop.running);
    this.#say({ kind: 'selected', selection: this.#live.tell(now), chosen });
  }

  #sayUnlessOver(said: Said): void {
    if (!this.#keeper.isOver) this.#say(said);
  }

  #withWorld(call: (world: World) => void): void {
    if (this.#live.world !== null) call(this.#live.world);
  }

  #unlessRefused<T>(ask: number, call: () => T): T | null {
    try {
      return call();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#say({ kind: 'refused', ask, problems: error.problems });
      return null;
    }
  }
}
