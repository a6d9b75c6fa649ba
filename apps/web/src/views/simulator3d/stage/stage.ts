/**
 * Stage of the 3D view: handles the page's messages, in a worker or on the main thread.
 *
 * An engine failure is reported in `failed`, exactly once, and ends the stage: it never goes blank
 * silently. A rejected edit leaves the world unchanged.
 */
import { EngineLifecycle } from '../../../shared/stage/engine-lifecycle.ts';
import { FrameLoop } from '../../../shared/stage/frame-loop.ts';
import type { Size } from '../../../shared/stage/worker-or-main-thread.ts';
import type { Vector } from '../../../shared/vector.ts';
import type { EngineError } from '../i18n/engine-errors.ts';
import type { Catalog, Colors, Edit, FromWorker, DisplayOptions, Report, ToWorker, WorldState } from '../workers/protocol.ts';
import { Seeker } from '../workers/seek.ts';
import { type EditHere, engineError, numbers, perform } from '../workers/edits.ts';
import type { Engine, Simulator } from '../workers/engine.ts';
import { ReplacedWorlds } from '../workers/replaced-worlds.ts';
import { together } from '../workers/seek-together.ts';
import { halfSize, inHalf } from './halves.ts';
import { presetCameraOf } from './preset-cameras.ts';
import { Renderer } from './renderer.ts';
import { WorldRenderer } from './world-renderer.ts';
import { saveSeries, textNow, textOf } from '../workers/saving.ts';
import { Viewpoint } from './viewpoint.ts';
import { World } from '../workers/world.ts';

type Message<Kind extends ToWorker['kind']> = Extract<ToWorker, { kind: Kind }>;

/** Edits of the current state. */
const CHANGES: ReadonlySet<string> = new Set<ToWorker['kind']>(['edit', 'grab', 'drag', 'release']);

/**
 * Serializing a thousand bodies takes long: while playing it is deferred until the response is
 * visible, and done once for all edits until then.
 */
const WRITE_MS = 100;

/** Edits that change no property of a body: while playing, the next report shows their effect. */
const MOVES_ON: ReadonlySet<Edit['do']> = new Set(['rules', 'push']);

/** Edits that both worlds of a comparison get; after any other it starts again, from the same state. */
const IN_BOTH: ReadonlySet<Edit['do']> = new Set(['throw', 'push']);

export class Stage {
  readonly #post: (reply: FromWorker) => void;
  readonly #lifecycle: EngineLifecycle<Engine, ToWorker>;
  readonly #view = new Viewpoint({
    view: () => this.#lifecycle.guarded(() => this.#loop.report()),
    mark: (place) => this.#post({ kind: 'mark', place }),
  });
  #drawn: WorldRenderer | null = null;
  #colors: Colors | null = null;
  #display: DisplayOptions | null = null;
  #size: Size | null = null;
  #world: World | null = null;
  readonly #replaced = new ReplacedWorlds<World>();
  /** Settings of the second world of a comparison. */
  #compared: object | null = null;
  #isSplit = false;
  #writing: ReturnType<typeof setTimeout> | undefined;
  /** Grab point of the dragged body. */
  #grabPoint: Vector | null = null;
  #speed = 1;
  /** Last reported frame rate. */
  #fps = 0;
  /** Requested steps that are still to be made. */
  #pendingSteps = 0;
  /** The requested playing state: suspended during a seek, resumed after it. */
  #plays = false;
  /** Messages deferred until the seek ends. */
  #later: ToWorker[] = [];
  readonly #seeker = new Seeker(
    (call) => this.#lifecycle.guarded(call),
    (seekProgress) => this.#post({ kind: 'seeking', seekProgress }),
  );
  readonly #loop = new FrameLoop({
    frame: (isRequested) => this.#lifecycle.guarded(() => this.#go(isRequested)),
    draw: () => this.#lifecycle.guarded(() => this.#draw()),
    report: (fps, stepped) => this.#lifecycle.guarded(() => this.#report(fps, stepped)),
  });

  constructor(post: (reply: FromWorker) => void, load: () => Promise<Engine>) {
    this.#post = post;
    this.#lifecycle = new EngineLifecycle(load, {
      begin: (engine) => this.#post({ kind: 'ready', catalog: JSON.parse(engine.catalog()) as Catalog }),
      act: (message) => this.#act(message),
      ended: () => this.#loop.stop(),
      failed: (message) => this.#post({ kind: 'failed', message }),
    });
  }

  receive(message: ToWorker): void {
    this.#lifecycle.receive(message);
  }

  /** Sends nothing further. */
  close(): void {
    if (!this.#lifecycle.isOver) {
      this.#seeker.leave();
      this.#world?.free();
      this.#replaced.free();
    }
    this.#drawn?.renderer.close();
    this.#lifecycle.end();
  }

  #begin({ canvas, size }: Message<'canvas'>): void {
    const renderer = Renderer.on(canvas, () => this.#lifecycle.guarded(() => this.#repaint()));
    if (renderer === null) this.#post({ kind: 'no-renderer' });
    else this.#drawn = new WorldRenderer(renderer);
    if (this.#colors !== null) renderer?.theme(this.#colors);
    if (this.#world !== null) this.#drawn?.shape(this.#world);
    this.#resize(size);
  }

  #act(message: ToWorker): void {
    switch (message.kind) {
      case 'canvas':
        this.#begin(message);
        break;
      case 'resize':
        this.#resize(message.size);
        break;
      case 'theme':
        this.#colors = message.colors;
        this.#drawn?.renderer.theme(message.colors);
        this.#loop.redraw();
        break;
      case 'display':
        this.#lookAt(message.display);
        this.#loop.redraw();
        break;
      case 'open':
        this.#open(message);
        break;
      case 'speed':
        this.#speed = message.speed;
        break;
      case 'compare':
        this.#compared = message.settings;
        // Otherwise when the seek arrives.
        if (this.#world !== null && this.#seeker.request === null) {
          this.#align(this.#world);
          this.#loop.report();
        }
        break;
      case 'stop':
        this.#post({ kind: 'acknowledged', requestId: message.requestId });
        this.#seeker.stop();
        if (this.#world !== null) this.#setPlaying(false);
        break;
      default:
        if (this.#world === null) return;
        // An edit applies to the seek's target, not to an intermediate step.
        if (this.#seeker.request !== null && CHANGES.has(message.kind)) this.#later.push(message);
        else this.#move(this.#world, message);
    }
  }

  /** User actions on the world or the view. */
  #move(world: World, message: Exclude<ToWorker, { kind: 'canvas' | 'resize' | 'theme' | 'display' | 'open' | 'speed' | 'compare' | 'stop' }>): void {
    switch (message.kind) {
      case 'play':
      case 'pause':
        this.#seeker.stop();
        this.#setPlaying(message.kind === 'play');
        break;
      case 'step':
        if (this.#plays) this.#setPlaying(false);
        if (this.#seeker.request !== null) {
          this.#seek(world, this.#ahead(world) + 1);
        } else {
          this.#pendingSteps += 1;
          this.#loop.step();
        }
        break;
      case 'back':
        this.#seek(world, this.#ahead(world) - 1);
        break;
      case 'seek':
        this.#seek(world, message.step);
        break;
      case 'edit':
        this.#edit(world, message.requestId, message.edit);
        break;
      case 'contacts':
        world.contactsPage = message.page;
        this.#loop.report();
        break;
      case 'select':
        this.#select(world, message.key, true);
        break;
      case 'select-at':
        this.#select(world, this.#pick(world, message)?.key ?? null, true);
        break;
      case 'grab':
        this.#grab(world, message);
        break;
      case 'drag':
        if (this.#grabPoint !== null) {
          world.simulator.pullTo(numbers(this.#view.camera.atDepthOf(this.#grabPoint, message.x, message.y)));
        }
        break;
      case 'release':
        this.#grabPoint = null;
        world.simulator.release();
        break;
      case 'orbit':
      case 'pan':
      case 'zoom':
      case 'home':
        this.#view.turn(world, message);
        break;
      case 'save':
        this.#save(world, message);
        return;
    }
    this.#loop.redraw();
  }

  /** The step after all pending requests. */
  #ahead(world: World): number {
    return (this.#seeker.request?.to ?? world.simulator.seekTarget ?? world.simulator.at) + this.#pendingSteps;
  }

  #seek(world: World, step: number): void {
    const to = Math.max(0, step);
    const { request } = this.#seeker;
    // Opening has priority.
    if (request?.why === 'open') return;
    if (this.#plays) this.#setPlaying(false);
    else this.#rest();
    // Only the latest seek is executed.
    if (request?.why === 'seek') {
      request.to = to;
      return;
    }
    const arrived = (): void => {
      this.#align(world);
      this.#follow(world);
      this.#loop.report(true);
      this.#arrive();
    };
    const { simulator, companion } = world;
    this.#seeker.begin({ simulator: companion === null ? simulator : together(simulator, companion.simulator), to, why: 'seek', arrived, left: () => this.#follow(world) }, 'soon');
  }

  /** Processes the deferred messages. */
  #arrive(): void {
    this.#loop.redraw();
    for (const message of this.#later.splice(0)) this.#act(message);
  }

  /** The new world is shown once it has reached its step; until then the previous one stays. */
  #open({ requestId, scene, playing, at }: Message<'open'>): void {
    const engine = this.#lifecycle.engine;
    if (engine === null) return;
    this.#post({ kind: 'acknowledged', requestId });
    this.#seeker.leave();
    for (const message of this.#later.splice(0)) {
      if (message.kind === 'edit') this.#post({ kind: 'unchanged', requestId: message.requestId, edit: message.edit });
      // The current world stays if the new scene is rejected.
      if (message.kind === 'release' && this.#world !== null) this.#move(this.#world, message);
    }
    const refused = (error: unknown): void => {
      this.#post({ kind: 'refused', requestId, error: engineError(error) });
      if (this.#plays) this.#loop.play();
    };
    let simulator: Simulator;
    try {
      simulator = engine.open(textOf(engine, scene), 'name' in scene ? scene.name : scene.preset);
      if (at?.step !== undefined) simulator.setSeekTarget(at.step);
    } catch (error) {
      refused(error);
      return;
    }
    this.#rest();
    this.#seeker.begin(
      {
        simulator,
        to: null,
        why: 'open',
        arrived: () => this.#opened(new World(simulator, 'preset' in scene ? scene : null), requestId, playing, at ?? {}),
        refused: (error) => {
          refused(error);
          // Not after an engine failure, which propagates: the simulator is still borrowed.
          simulator.free();
        },
        left: () => {
          simulator.free();
          this.#post({ kind: 'superseded', requestId });
        },
      },
      'now',
    );
  }

  #opened(world: World, requestId: number, playing: boolean, { camera, selected }: NonNullable<Message<'open'>['at']>): void {
    if (this.#world !== null) {
      this.#world.camera = this.#view.place;
      this.#replaced.replace(this.#world);
    }
    world.selected = world.keyAt(selected);
    world.camera = camera ?? null;
    this.#show(world, requestId, playing, null);
  }

  /** Undo of opening this world, or redo of opening another one; false if there is none. */
  #exchange(world: World, requestId: number, direction: 'undo' | 'redo'): boolean {
    const other = this.#replaced.exchange(world, direction);
    if (other === null) return false;
    world.camera = this.#view.place;
    const plays = this.#plays;
    this.#rest();
    this.#show(other, requestId, plays, direction);
    return true;
  }

  #show(world: World, requestId: number, playing: boolean, again: 'undo' | 'redo' | null): void {
    const { preset } = world;
    this.#world?.compareWith(null);
    this.#world = world;
    this.#grabPoint = null;
    this.#align(world);
    this.#splitView(world);
    this.#view.open(world, presetCameraOf(preset?.preset ?? null), world.camera);
    world.renew();
    world.resendBodies();
    this.#drawn?.forgetShapes();
    this.#post({ kind: 'opened', requestId, world: this.#changesOf(world), text: world.simulator.sceneJson(), report: this.#reportOf(world), preset, again });
    this.#drawn?.shape(world);
    this.#setPlaying(playing);
    this.#loop.redraw();
  }

  #edit(world: World, requestId: number, edit: Edit): void {
    if (edit.do === 'undo' || edit.do === 'redo') {
      this.#takeBack(world, requestId, edit);
      return;
    }
    const from = world.simulator.at;
    let key: number | null | undefined;
    try {
      const place = edit.do === 'throw' && edit.place !== null ? { place: this.#inHalf(world, edit.place) } : {};
      key = perform(world, this.#view.camera, { ...edit, ...place });
    } catch (error) {
      this.#post({ kind: 'refused', requestId, error: engineError(error) });
      return;
    }
    if (key === undefined) this.#post({ kind: 'unchanged', requestId, edit });
    else {
      this.#replaced.dropLater();
      this.#edited(world, requestId, edit, key, from);
    }
  }

  #takeBack(world: World, requestId: number, edit: Extract<Edit, { do: 'undo' | 'redo' }>): void {
    const { simulator } = world;
    const from = simulator.at;
    if (!(edit.do === 'undo' ? simulator.undo() : simulator.redo())) {
      if (!this.#exchange(world, requestId, edit.do)) this.#post({ kind: 'unchanged', requestId, edit });
      return;
    }
    this.#rest();
    const arrived = (): void => {
      this.#edited(world, requestId, edit, null, from);
      if (this.#plays) this.#loop.play();
      this.#arrive();
    };
    const left = (): void => this.#edited(world, requestId, edit, null, from);
    this.#seeker.begin({ simulator, to: null, why: 'edit', arrived, left }, 'now');
  }

  /**
   * Sends the edit and the resulting world in one message, before everything the user does not wait
   * for.
   */
  #edited(world: World, requestId: number, edit: Edit, key: number | null, from: number): void {
    const isOther = world.renew();
    this.#editCompanion(world, edit, key);
    const report = this.#loop.playing && MOVES_ON.has(edit.do) ? null : this.#reportOf(world);
    this.#post({ kind: 'edited', requestId, edit, key, from, world: isOther ? this.#changesOf(world) : null, report });
    if (report === null) this.#loop.reportSoon();
    // Selects an added body; clears the selection of a removed one.
    const came = edit.do === 'add' || edit.do === 'duplicate' ? key : null;
    const selected = came ?? (world.has(world.selected) ? world.selected : null);
    if (selected !== world.selected) this.#select(world, selected, false);
    if (came !== null) this.#include(world, came);
    this.#loop.yieldToPage();
    if (isOther) this.#showOther(world);
    this.#loop.redraw();
  }

  /** Starts the comparison again from the current state, unless both worlds are there with it. */
  #align(world: World): void {
    if ((world.companion?.settings ?? null) !== this.#compared || world.isApart) this.#compareAnew(world);
  }

  #compareAnew(world: World): void {
    let error: EngineError | null = null;
    try {
      world.compareWith(this.#compared);
    } catch (thrown) {
      error = engineError(thrown);
    }
    this.#post({ kind: 'compared', error });
    this.#splitView(world);
    this.#drawn?.shape(world);
    this.#loop.redraw();
  }

  /** The camera sees half of the stage during a comparison. */
  #splitView(world: World): void {
    const isSplit = world.companion !== null;
    if (isSplit === this.#isSplit) return;
    this.#isSplit = isSplit;
    if (this.#size !== null) this.#view.resize(this.#viewSize(this.#size), world);
  }

  #editCompanion(world: World, edit: Edit, key: number | null): void {
    if (this.#compared === null) return;
    const { companion } = world;
    if (companion !== null && IN_BOTH.has(edit.do)) {
      try {
        if (perform(companion, this.#view.camera, edit as EditHere) === key) return;
      } catch (error) {
        // A state that does not take it: an engine failure propagates.
        engineError(error);
      }
    }
    this.#compareAnew(world);
  }

  /** A new body may lie outside the view. Unbounded ones have no box. */
  #include(world: World, key: number): void {
    const { picture, simulator, bodies } = world;
    picture.look(simulator);
    const place = bodies.findIndex((body) => body.key === key);
    if (place >= 0 && picture.ends(place)) this.#view.include(world, picture.box(place));
  }

  /** State of the world for the page; opening another scene can be undone, too. */
  #changesOf(world: World): WorldState {
    const state = world.changes();
    const { undoable, redoable } = this.#replaced;
    return { ...state, undoable: state.undoable + undoable, redoable: state.redoable + redoable };
  }

  /** Sends and draws the bodies if they have changed. */
  #follow(world: World): void {
    if (!world.renew()) return;
    this.#post({ kind: 'world', world: this.#changesOf(world), report: this.#reportOf(world) });
    if (world.selected !== null && !world.has(world.selected)) this.#select(world, null, false);
    this.#showOther(world);
  }

  /** Serializes and draws the reported change. */
  #showOther(world: World): void {
    this.#drawn?.shape(world);
    if (this.#loop.playing) this.#writing ??= setTimeout(() => this.#lifecycle.guarded(() => this.#write(world)), WRITE_MS);
    else this.#write(world);
  }

  #write(world: World): void {
    clearTimeout(this.#writing);
    this.#writing = undefined;
    if (world === this.#world) this.#post({ kind: 'json', text: world.simulator.sceneJson(), step: world.simulator.at });
  }

  #select(world: World, key: number | null, chosen: boolean): void {
    if (world.selected !== key) world.contactsPage = 0;
    world.selected = world.has(key) ? key : null;
    this.#post({ kind: 'selected', key: world.selected, chosen, report: this.#reportOf(world) });
    this.#loop.redraw();
  }

  #pick(world: World, place: { x: number; y: number }): { key: number; point: Vector } | null {
    const { camera } = this.#view;
    const { x, y, isSecond } = this.#inHalf(world, place);
    const simulator = isSecond ? (world.companion ?? world).simulator : world.simulator;
    const [key, px = 0, py = 0, pz = 0] = simulator.pick(numbers(camera.eye), numbers(camera.direction(x, y)));
    return key === undefined ? null : { key, point: [px, py, pz] };
  }

  #inHalf(world: World, place: { x: number; y: number }): { x: number; y: number; isSecond: boolean } {
    return world.companion === null || this.#size === null ? { ...place, isSecond: false } : inHalf(this.#size, place);
  }

  #viewSize(size: Size): Size {
    return this.#isSplit ? halfSize(size) : size;
  }

  #grab(world: World, place: { x: number; y: number }): void {
    const hit = this.#pick(world, place);
    // In a comparison both worlds must get the same.
    const holds = hit !== null && world.companion === null && this.#loop.playing && world.moves(hit.key);
    if (hit !== null && holds) {
      this.#grabPoint = hit.point;
      this.#replaced.dropLater();
      world.simulator.pull(hit.key, numbers(hit.point), numbers(hit.point));
      this.#follow(world);
    }
    this.#post({ kind: 'grabbed', holds });
  }

  #save(world: World, { requestId, what }: Message<'save'>): void {
    const whereabouts = world.whereabouts(this.#view.place);
    const saved = (text: string): void => this.#post({ kind: 'saved', requestId, text, whereabouts });
    if (what === 'series') {
      saveSeries(world.simulator, (call) => this.#lifecycle.guarded(call), saved);
      return;
    }
    try {
      saved(textNow(world, what));
    } catch (error) {
      this.#post({ kind: 'refused', requestId, error: engineError(error) });
    }
  }

  #setPlaying(playing: boolean): void {
    this.#plays = playing;
    if (playing) this.#loop.play();
    else this.#rest();
    this.#post({ kind: 'playing', playing });
  }

  /** Drops all pending steps. */
  #rest(): void {
    this.#loop.pause();
    this.#pendingSteps = 0;
  }

  #go(isRequested: boolean): void {
    const world = this.#world;
    if (world === null) return;
    if (isRequested) this.#pendingSteps = Math.max(0, this.#pendingSteps - 1);
    world.go(isRequested ? 'one' : this.#speed);
    this.#follow(world);
  }

  #resize(size: Size): void {
    this.#size = size;
    this.#drawn?.renderer.resize(size);
    this.#view.resize(this.#viewSize(size), this.#world);
    this.#draw();
  }

  /** The context was lost and restored empty. */
  #repaint(): void {
    this.#drawn?.forgetShapes();
    if (this.#world !== null) this.#drawn?.shape(this.#world);
    if (this.#size !== null) this.#resize(this.#size);
  }

  #draw(): void {
    if (this.#drawn === null || this.#size === null || this.#display === null) return;
    const world = this.#world;
    if (world === null) {
      this.#drawn.renderer.clear();
      return;
    }
    world.picture.look(world.simulator);
    this.#lookAtLevels(world);
    if (!this.#loop.running) this.#drawn.renderer.pace('rests');
    this.#drawn.paint(world, this.#view.camera, this.#display, this.#size);
    const { selected } = world.shown();
    this.#view.mark(selected === null ? null : world.picture.place(selected));
  }

  #lookAt(display: DisplayOptions): void {
    const isOther = display.coloring !== this.#display?.coloring;
    this.#display = display;
    if (this.#world !== null && isOther) this.#loop.report();
  }

  #lookAtLevels({ picture, simulator, companion }: World): void {
    const isShown = this.#display?.coloring === 'level';
    picture.lookAtLevels(simulator, isShown);
    companion?.picture.lookAtLevels(companion.simulator, isShown);
  }

  #report(fps: number, stepped: boolean): void {
    this.#fps = fps;
    if (this.#loop.playing) this.#drawn?.renderer.pace(fps);
    if (this.#world === null) return;
    this.#post({ kind: 'report', report: this.#reportOf(this.#world, fps, stepped) });
  }

  #reportOf(world: World, fps = this.#loop.playing ? this.#fps : 0, stepped = false): Report {
    this.#lookAtLevels(world);
    return world.report(fps, stepped, this.#view.place, (x, y, z) => this.#view.camera.across(x, y, z));
  }
}
