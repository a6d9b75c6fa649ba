/**
 * What does the stage do with what the page says?
 *
 * The same class runs on a worker or on the page's own thread. Promise: it never goes blank in
 * silence. Whatever the engine dies of is said in a `failed`, once, and nothing is done after it.
 * A scene that the engine refuses leaves the one before running.
 */

import type { Catalogue, Colours, Size, ToWorker } from '../protocol.ts';
import { Painter } from './draw.ts';
import type { Engine } from './engine.ts';
import { Experiment } from './experiment.ts';
import { Live, pictureOf } from './live.ts';
import { Loop } from './loop.ts';
import { Refusal, World } from './run.ts';
import type { Said } from './runners.ts';

type Message<Kind extends ToWorker['kind']> = Extract<ToWorker, { kind: Kind }>;

export class Stage {
  readonly #say: (said: Said) => void;
  /** What came before the engine did. */
  #waiting: ToWorker[] | null = [];
  #engine: Engine | null = null;
  #over = false;

  readonly #live = new Live();
  readonly #loop = new Loop({
    frame: () => this.#guarded(() => this.#withWorld((world) => this.#live.makeFrame(world))),
    draw: () => this.#guarded(() => this.#draw()),
    report: (fps, stepped) => this.#guarded(() => this.#report(fps, stepped)),
  });
  #painter: Painter | null = null;
  #colours: Colours | null = null;
  #experiment: Experiment | null = null;
  #playsAfterExperiment = false;
  #measureNext: Message<'measure'> | null = null;
  #saidView = { fitted: true, empty: false };

  constructor(say: (said: Said) => void, load: () => Promise<Engine>) {
    this.#say = say;
    load().then(
      (engine) => this.#guarded(() => this.#begin(engine)),
      (error: unknown) => this.#fail(error),
    );
  }

  receive(message: ToWorker): void {
    if (this.#over) return;
    // Whatever it takes to do, the host knows that it was not lost in a long frame before.
    if (message.kind === 'start' || message.kind === 'change') this.#say({ kind: 'heard' });
    if (this.#waiting === null) this.#guarded(() => this.#act(message));
    else this.#waiting.push(message);
  }

  /** Nothing is said any more. */
  close(): void {
    if (!this.#over) this.#live.world?.free();
    this.#end();
  }

  #end(): void {
    this.#over = true;
    this.#waiting = null;
    this.#loop.stop();
    this.#experiment?.cancel();
  }

  #begin(engine: Engine): void {
    this.#engine = engine;
    this.#say({ kind: 'ready', catalogue: JSON.parse(engine.catalogue()) as Catalogue });
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    for (const message of waiting) this.receive(message);
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
        this.#measure(message);
        break;
      case 'cancel':
        this.#cancel(message.id);
        break;
      case 'advise':
        this.#withWorld((world) => this.#say({ kind: 'advice', ...world.advice() }));
        break;
      case 'picture':
        this.#takePicture(message.id);
        break;
      default:
        // While an experiment runs the scene is not to be seen, so nothing in it is moved.
        if (this.#experiment === null) this.#withWorld((world) => this.#move(world, message));
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
        this.#loop.step(message.frames);
        break;
      case 'select-at':
        this.#live.pointAt({ x: message.x, y: message.y }, true);
        break;
      case 'point-at':
        this.#live.pointAt(message.place, false);
        break;
      case 'select': {
        const known = message.object !== null && message.object < world.counts.objects;
        this.#live.select(known ? message.object : null);
        this.#tellSelection(world);
        break;
      }
      case 'select-by':
        this.#live.selectBy(world, message.by);
        this.#tellSelection(world);
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

  #start({ ask, parameters, playing, frame = 0 }: Message<'start'>): void {
    const engine = this.#engine;
    if (engine === null) return;
    const world = this.#unlessRefused(ask, () => new World(engine, parameters));
    if (world === null) return;
    world.goTo(frame);
    this.#experiment?.cancel();
    this.#playsAfterExperiment = playing;
    const hadSelected = this.#live.selected !== null;
    this.#live.begin(world);
    this.#say({ kind: 'started', ask, parameters: world.parameters });
    this.#setPlaying(playing);
    this.#loop.report();
    // Also that there is none any more: a smaller world may not have the one that was selected.
    if (hadSelected) this.#tellSelection(world);
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
    this.#experiment?.cancel();
    this.#say({ kind: 'changed', ask, parameters: world.parameters });
    this.#loop.report();
    if (this.#live.selected !== null) this.#tellSelection(world);
    this.#loop.redraw();
  }

  #setPlaying(playing: boolean): void {
    if (this.#experiment !== null) {
      this.#playsAfterExperiment = playing;
    } else if (playing && this.#live.world !== null) {
      this.#loop.play();
    } else {
      this.#loop.pause();
    }
    this.#say({ kind: 'playing', playing });
  }

  #cancel(id: number): void {
    if (this.#experiment?.id === id) this.#experiment.cancel();
    if (this.#measureNext?.id === id) {
      this.#measureNext = null;
      this.#say({ kind: 'finished', id, cancelled: true });
    }
  }

  #measure(message: Message<'measure'>): void {
    const { id, cases, drawn } = message;
    const engine = this.#engine;
    if (engine === null) return;
    if (this.#experiment !== null) {
      // One that is cancelled still ends its frame; the next waits for that.
      if (this.#experiment.cancelled) this.#measureNext = message;
      else this.#say({ kind: 'finished', id, cancelled: true });
      return;
    }
    this.#playsAfterExperiment = this.#loop.playing;
    this.#loop.pause();
    const draw = (world: World): void => {
      this.#painter?.paint(pictureOf(world, this.#live.viewOfWhole(world)));
    };
    const say = (said: Said): void => {
      if (!this.#over) this.#say(said);
    };
    const experiment = new Experiment(engine, { id, cases, draw: drawn ? draw : null, say });
    this.#experiment = experiment;
    experiment.run().then(
      () => this.#guarded(() => this.#endExperiment()),
      (error: unknown) => this.#fail(error),
    );
  }

  /** The scene goes on as it was. */
  #endExperiment(): void {
    this.#experiment = null;
    if (this.#playsAfterExperiment) this.#loop.play();
    this.#loop.redraw();
    const next = this.#measureNext;
    this.#measureNext = null;
    if (next !== null) this.#measure(next);
  }

  #takePicture(id: number): void {
    this.#painter?.png().then(
      (png) => this.#guarded(() => this.#say({ kind: 'picture', id, png })),
      (error: unknown) => this.#fail(error),
    );
  }

  #resize(size: Size): void {
    this.#live.resize(size);
    // A canvas that changes its size is blank; at once, so that nobody sees it.
    this.#draw();
  }

  #draw(): void {
    if (this.#experiment !== null) return;
    if (this.#live.world === null) this.#painter?.paintNothing();
    this.#withWorld((world) => {
      const now = performance.now();
      const stays = !this.#loop.running;
      const pointed = this.#live.takePoint(world);
      this.#live.observe(world, now, stays);
      this.#painter?.paint(this.#live.picture(world));
      const selection = pointed ? this.#live.tell(now) : this.#live.news(now, stays);
      if (pointed || selection !== null) this.#say({ kind: 'selected', selection });
      this.#tellView(this.#live.fitted, this.#live.seesNothing(world));
    });
  }

  #tellView(fitted: boolean, empty: boolean): void {
    if (fitted === this.#saidView.fitted && empty === this.#saidView.empty) return;
    this.#saidView = { fitted, empty };
    this.#say({ kind: 'view', fitted, empty });
  }

  #report(fps: number, stepped: boolean): void {
    this.#withWorld((world) => {
      this.#say({ kind: 'frame', report: { ...this.#live.report(world, fps), stepped } });
    });
  }

  #tellSelection(world: World): void {
    const now = performance.now();
    this.#live.observe(world, now, !this.#loop.running);
    this.#say({ kind: 'selected', selection: this.#live.tell(now) });
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

  #guarded(call: () => void): void {
    if (this.#over) return;
    try {
      call();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** What the engine said before it trapped: the trap itself is only "unreachable". */
  #lastWords(): string | null {
    try {
      return this.#engine?.lastPanic() || null;
    } catch {
      return null;
    }
  }

  #fail(error: unknown): void {
    if (this.#over) return;
    this.#end();
    this.#say({ kind: 'failed', message: this.#lastWords() ?? String(error) });
  }
}
