/**
 * What does the stage do with what the page says?
 *
 * The same class runs on a worker or on the page's own thread. Promise: it never goes blank in silence. Whatever
 * the engine dies of is said in a `failed`, once, and nothing is done after it. What the engine refuses leaves the
 * world as it was.
 */
import { Keeper } from '../../../shared/stage/keeper.ts';
import { Loop } from '../../../shared/stage/loop.ts';
import type { Size } from '../../../shared/stage/runners.ts';
import type { Vector } from '../../../shared/vector.ts';
import type { Catalogue, Colours, Edit, FromWorker, Looks, Report, Saved, Source, ToWorker } from '../protocol.ts';
import { Course } from './course.ts';
import { engineError, numbers, perform } from './edits.ts';
import type { Engine, Simulator } from './engine.ts';
import { type Home, homeOf } from './homes.ts';
import { Painter } from './painter.ts';
import { Viewpoint } from './viewpoint.ts';
import { World } from './world.ts';

type Message<Kind extends ToWorker['kind']> = Extract<ToWorker, { kind: Kind }>;

/** What is done to the world where it is. */
const CHANGES: ReadonlySet<string> = new Set<ToWorker['kind']>(['edit', 'grab', 'hand', 'let-go']);

/** To write a thousand bodies takes long: what plays is written when the answer has been seen, and once for all that is done until then. */
const WRITE_MS = 100;

/** What leaves all bodies as they were told: while it plays, the numbers that come next show what it did. */
const MOVES_ON: ReadonlySet<Edit['do']> = new Set(['rules', 'push']);

export class Stage {
  readonly #say: (said: FromWorker) => void;
  readonly #keeper: Keeper<Engine, ToWorker>;
  readonly #view = new Viewpoint({
    view: () => this.#keeper.guarded(() => this.#loop.report()),
    mark: (place) => this.#say({ kind: 'mark', place }),
  });
  #painter: Painter | null = null;
  #colours: Colours | null = null;
  #looks: Looks | null = null;
  #size: Size | null = null;
  #world: World | null = null;
  /** Which shapes the painter has. */
  #shaped: number | null = null;
  #writing: ReturnType<typeof setTimeout> | undefined;
  /** The body that is held by the hand, at this point. */
  #held: Vector | null = null;
  #speed = 1;
  /** Pictures a second, as they were told last. */
  #fps = 0;
  /** Steps that were asked for and not made yet. */
  #owedSteps = 0;
  /** What was told of playing: it stands still on a journey, and goes on after it. */
  #plays = false;
  /** What waits until the stage is where it goes. */
  #later: ToWorker[] = [];
  readonly #course = new Course(
    (call) => this.#keeper.guarded(call),
    (going) => this.#say({ kind: 'going', going }),
  );
  readonly #loop = new Loop({
    frame: (asked) => this.#keeper.guarded(() => this.#go(asked)),
    draw: () => this.#keeper.guarded(() => this.#draw()),
    report: (fps, stepped) => this.#keeper.guarded(() => this.#report(fps, stepped)),
  });

  constructor(say: (said: FromWorker) => void, load: () => Promise<Engine>) {
    this.#say = say;
    this.#keeper = new Keeper(load, {
      begin: (engine) => this.#say({ kind: 'ready', catalogue: JSON.parse(engine.catalogue()) as Catalogue }),
      act: (message) => this.#act(message),
      ended: () => this.#loop.stop(),
      failed: (message) => this.#say({ kind: 'failed', message }),
    });
  }

  receive(message: ToWorker): void {
    this.#keeper.receive(message);
  }

  /** Nothing is said any more. */
  close(): void {
    if (!this.#keeper.isOver) {
      this.#course.leave();
      this.#world?.free();
    }
    this.#painter?.close();
    this.#keeper.end();
  }

  #act(message: ToWorker): void {
    switch (message.kind) {
      case 'canvas':
        this.#painter = Painter.on(message.canvas, () => this.#keeper.guarded(() => this.#repaint()));
        if (this.#painter === null) this.#say({ kind: 'unseen' });
        if (this.#colours !== null) this.#painter?.theme(this.#colours);
        this.#shaped = null;
        if (this.#world !== null) this.#shape(this.#world);
        this.#resize(message.size);
        break;
      case 'resize':
        this.#resize(message.size);
        break;
      case 'theme':
        this.#colours = message.colours;
        this.#painter?.theme(message.colours);
        this.#loop.redraw();
        break;
      case 'looks':
        this.#looks = message.looks;
        this.#loop.redraw();
        break;
      case 'open':
        this.#open(message);
        break;
      case 'speed':
        this.#speed = message.speed;
        break;
      case 'stop':
        this.#say({ kind: 'heard', ask: message.ask });
        this.#course.stop();
        if (this.#world !== null) this.#setPlaying(false);
        break;
      default:
        if (this.#world === null) return;
        // Where it is on the way, nobody meant to change it.
        if (this.#course.journey !== null && CHANGES.has(message.kind)) this.#later.push(message);
        else this.#move(this.#world, message);
    }
  }

  /** What somebody does to the world or to the view of it. */
  #move(world: World, message: Exclude<ToWorker, { kind: 'canvas' | 'resize' | 'theme' | 'looks' | 'open' | 'speed' | 'stop' }>): void {
    switch (message.kind) {
      case 'play':
      case 'pause':
        this.#course.stop();
        this.#setPlaying(message.kind === 'play');
        break;
      case 'step':
        if (this.#plays) this.#setPlaying(false);
        if (this.#course.journey !== null) {
          this.#seek(world, this.#ahead(world) + 1);
        } else {
          this.#owedSteps += 1;
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
        this.#edit(world, message.ask, message.edit);
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
      case 'hand':
        if (this.#held !== null) {
          world.simulator.pullTo(numbers(this.#view.camera.atDepthOf(this.#held, message.x, message.y)));
        }
        break;
      case 'let-go':
        this.#held = null;
        world.simulator.letGo();
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

  /** Where it will be when all that was asked is done. */
  #ahead(world: World): number {
    return (this.#course.journey?.to ?? world.simulator.goal ?? world.simulator.at) + this.#owedSteps;
  }

  #seek(world: World, step: number): void {
    const to = Math.max(0, step);
    const { journey } = this.#course;
    // What is being opened comes first.
    if (journey?.why === 'open') return;
    if (this.#plays) this.#setPlaying(false);
    else this.#rest();
    // Only the newest is gone to.
    if (journey?.why === 'seek') {
      journey.to = to;
      return;
    }
    const arrived = (): void => {
      this.#follow(world);
      this.#loop.report(true);
      this.#arrive();
    };
    this.#course.begin({ simulator: world.simulator, to, why: 'seek', arrived, left: () => this.#follow(world) }, 'soon');
  }

  /** What waited for it is done. */
  #arrive(): void {
    this.#loop.redraw();
    for (const message of this.#later.splice(0)) this.#act(message);
  }

  /** The world is shown once it is where it was told to be; until then the one before stays. */
  #open({ ask, scene, playing, at }: Message<'open'>): void {
    const engine = this.#keeper.engine;
    if (engine === null) return;
    this.#say({ kind: 'heard', ask });
    this.#course.leave();
    for (const message of this.#later.splice(0)) {
      if (message.kind === 'edit') this.#say({ kind: 'unchanged', ask: message.ask, edit: message.edit });
      // The world may stay, if what is opened is refused.
      if (message.kind === 'let-go' && this.#world !== null) this.#move(this.#world, message);
    }
    const refused = (error: unknown): void => {
      this.#say({ kind: 'refused', ask, error: engineError(error) });
      if (this.#plays) this.#loop.play();
    };
    let simulator: Simulator;
    try {
      simulator = engine.open(textOf(engine, scene), 'name' in scene ? scene.name : scene.preset);
      if (at?.step !== undefined) simulator.headFor(at.step);
    } catch (error) {
      refused(error);
      return;
    }
    this.#rest();
    this.#course.begin(
      {
        simulator,
        to: null,
        why: 'open',
        arrived: () => this.#show(new World(simulator), homeOf('preset' in scene ? scene.preset : null), ask, playing, at ?? {}),
        refused: (error) => {
          refused(error);
          // Not after a fault of the engine, which is thrown again: it holds what it was at.
          simulator.free();
        },
        left: () => {
          simulator.free();
          this.#say({ kind: 'overtaken', ask });
        },
      },
      'now',
    );
  }

  #show(world: World, home: Home, ask: number, playing: boolean, { camera, selected }: NonNullable<Message<'open'>['at']>): void {
    this.#world?.free();
    this.#world = world;
    this.#held = null;
    world.selected = world.keyAt(selected);
    this.#view.open(world, home, camera ?? null);
    world.renew();
    this.#shaped = null;
    this.#say({ kind: 'opened', ask, world: world.told(), text: world.simulator.words(), report: this.#reportOf(world) });
    this.#shape(world);
    this.#setPlaying(playing);
    this.#loop.redraw();
  }

  #edit(world: World, ask: number, edit: Edit): void {
    if (edit.do === 'undo' || edit.do === 'redo') {
      this.#takeBack(world, ask, edit);
      return;
    }
    const from = world.simulator.at;
    let key: number | null | undefined;
    try {
      key = perform(world, this.#view.camera, edit);
    } catch (error) {
      this.#say({ kind: 'refused', ask, error: engineError(error) });
      return;
    }
    if (key === undefined) this.#say({ kind: 'unchanged', ask, edit });
    else this.#edited(world, ask, edit, key, from);
  }

  #takeBack(world: World, ask: number, edit: Extract<Edit, { do: 'undo' | 'redo' }>): void {
    const { simulator } = world;
    const from = simulator.at;
    if (!(edit.do === 'undo' ? simulator.undo() : simulator.redo())) {
      this.#say({ kind: 'unchanged', ask, edit });
      return;
    }
    this.#rest();
    const arrived = (): void => {
      this.#edited(world, ask, edit, null, from);
      if (this.#plays) this.#loop.play();
      this.#arrive();
    };
    const left = (): void => this.#edited(world, ask, edit, null, from);
    this.#course.begin({ simulator, to: null, why: 'edit', arrived, left }, 'now');
  }

  /** What was done, and the world after it, are told together, and before all that somebody who waits for it does not need. */
  #edited(world: World, ask: number, edit: Edit, key: number | null, from: number): void {
    const isOther = world.renew();
    const report = this.#loop.playing && MOVES_ON.has(edit.do) ? null : this.#reportOf(world);
    this.#say({ kind: 'edited', ask, edit, key, from, world: isOther ? world.told() : null, report });
    if (report === null) this.#loop.reportSoon();
    // What came is looked at next; what went cannot be.
    const came = edit.do === 'add' || edit.do === 'duplicate' ? key : null;
    const selected = came ?? (world.has(world.selected) ? world.selected : null);
    if (selected !== world.selected) this.#select(world, selected, false);
    this.#loop.giveWay();
    if (isOther) this.#showOther(world);
    this.#loop.redraw();
  }

  /** Tells and draws other bodies, if there are. */
  #follow(world: World): void {
    if (!world.renew()) return;
    this.#say({ kind: 'world', world: world.told(), report: this.#reportOf(world) });
    if (world.selected !== null && !world.has(world.selected)) this.#select(world, null, false);
    this.#showOther(world);
  }

  /** What was told of it is written and drawn, too. */
  #showOther(world: World): void {
    this.#shape(world);
    if (this.#loop.playing) this.#writing ??= setTimeout(() => this.#keeper.guarded(() => this.#write(world)), WRITE_MS);
    else this.#write(world);
  }

  #write(world: World): void {
    clearTimeout(this.#writing);
    this.#writing = undefined;
    if (world === this.#world) this.#say({ kind: 'words', text: world.simulator.words(), step: world.simulator.at });
  }

  /** Most changes leave all shapes as they are. */
  #shape({ simulator }: World): void {
    if (this.#shaped === simulator.shapeVersion) return;
    this.#shaped = simulator.shapeVersion;
    this.#painter?.shape(simulator);
  }

  #select(world: World, key: number | null, chosen: boolean): void {
    if (world.selected !== key) world.contactsPage = 0;
    world.selected = world.has(key) ? key : null;
    this.#say({ kind: 'selected', key: world.selected, chosen, report: this.#reportOf(world) });
    this.#loop.redraw();
  }

  #pick({ simulator }: World, { x, y }: { x: number; y: number }): { key: number; point: Vector } | null {
    const { camera } = this.#view;
    const [key, px = 0, py = 0, pz = 0] = simulator.pick(numbers(camera.eye), numbers(camera.direction(x, y)));
    return key === undefined ? null : { key, point: [px, py, pz] };
  }

  #grab(world: World, place: { x: number; y: number }): void {
    const hit = this.#pick(world, place);
    const holds = hit !== null && this.#loop.playing && world.moves(hit.key);
    if (hit !== null && holds) {
      this.#held = hit.point;
      world.simulator.pull(hit.key, numbers(hit.point), numbers(hit.point));
      this.#follow(world);
    }
    this.#say({ kind: 'grabbed', holds });
  }

  #save(world: World, { ask, what }: Message<'save'>): void {
    let text: string;
    try {
      text = textNow(world, what);
    } catch (error) {
      this.#say({ kind: 'refused', ask, error: engineError(error) });
      return;
    }
    this.#say({ kind: 'saved', ask, text, whereabouts: world.whereabouts(this.#view.place) });
  }

  #setPlaying(playing: boolean): void {
    this.#plays = playing;
    if (playing) this.#loop.play();
    else this.#rest();
    this.#say({ kind: 'playing', playing });
  }

  /** No step is made any more, not even one that was asked for. */
  #rest(): void {
    this.#loop.pause();
    this.#owedSteps = 0;
  }

  #go(asked: boolean): void {
    const world = this.#world;
    if (world === null) return;
    if (asked) this.#owedSteps = Math.max(0, this.#owedSteps - 1);
    world.go(asked ? 'one' : this.#speed);
    this.#follow(world);
  }

  #resize(size: Size): void {
    this.#size = size;
    this.#painter?.resize(size);
    this.#view.resize(size, this.#world);
    this.#draw();
  }

  /** The browser took the picture and gave it back empty. */
  #repaint(): void {
    this.#shaped = null;
    if (this.#world !== null) this.#shape(this.#world);
    if (this.#size !== null) this.#resize(this.#size);
  }

  #draw(): void {
    if (this.#painter === null || this.#size === null || this.#looks === null) return;
    if (this.#world === null) {
      this.#painter.paintNothing();
      return;
    }
    const { picture, simulator } = this.#world;
    picture.look(simulator);
    const shown = this.#world.shown();
    if (!this.#loop.running) this.#painter.pace('rests');
    this.#painter.paint(picture, simulator, this.#view.camera, this.#looks, shown);
    this.#view.mark(shown.selected === null ? null : picture.place(shown.selected));
  }

  #report(fps: number, stepped: boolean): void {
    this.#fps = fps;
    if (this.#loop.playing) this.#painter?.pace(fps);
    if (this.#world !== null) this.#say({ kind: 'report', report: this.#reportOf(this.#world, fps, stepped) });
  }

  #reportOf(world: World, fps = this.#loop.playing ? this.#fps : 0, stepped = false): Report {
    return world.report(fps, stepped, this.#view.place, (x, y, z) => this.#view.camera.across(x, y, z));
  }
}

function textNow({ simulator }: World, what: Saved): string {
  if (what === 'whereabouts') return '';
  return what === 'scene' ? simulator.words() : simulator.recording();
}

function textOf(engine: Engine, scene: Source): string {
  if ('text' in scene) return scene.text;
  const text = engine.preset(scene.preset, scene.seed);
  if (text === undefined) throw new Error(`there is no preset ${scene.preset}`);
  return text;
}
