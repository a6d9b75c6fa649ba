/**
 * What do the page and the worker say to each other?
 *
 * The page asks, the worker owns the world and its past. Nothing here is geometry but for the reader's own
 * pointer: places are CSS pixels of the canvas, bodies are keys, scenes are the words that `embate simulate` reads.
 */
import type { CameraPlace } from '../../shared/stage/orbit-camera.ts';
import type { OfCanvas } from '../../shared/stage/runners.ts';
import type { Vector } from '../../shared/vector.ts';
import type { EngineError } from './engine-errors.ts';

/** A text in every language of the page. */
export type Text = Record<'en' | 'pt-BR', string>;

export interface Preset {
  name: string;
  title: Text;
  about: Text;
  takesSeed: boolean;
  /** What its scene says of itself, by which one that was made of it is known again. */
  own: { name: string | null; description: string | null };
}

/** One of several that the engine offers. */
export interface Listed {
  name: string;
  label: Text;
}

export interface Catalogue {
  presets: [Preset, ...Preset[]];
  broadPhases: Listed[];
  responses: Listed[];
  mostSubsteps: number;
  /** More steps are gone to by nobody. */
  mostSteps: number;
  /** Farther out, in m, the engine does not tell places apart. */
  farthest: number;
  contactsAPage: number;
}

export type Solver = 'soft-step' | 'event-driven' | 'baseline';

/** What holds for all bodies. */
export interface Rules {
  name: string | null;
  description: string | null;
  gravity: Vector;
  time_step: number;
  substeps: number;
  enable_sleep: boolean;
  bounds: { min: Vector; max: Vector; mode: 'solid' | 'open' } | null;
  solver: Solver;
  broad_phase: string;
  response: string;
  tolerance: number;
}

export type BodyType = 'dynamic' | 'kinematic' | 'fixed';

/** A body, as far as moving does not change it. */
export interface BodyRow {
  key: number;
  name: string;
  shape: string;
  mass: number;
  type: BodyType;
  restitution: number;
  friction: number;
}

/** The words of a body as it stands; more than these are kept, too. */
export interface BodyWords {
  name?: string;
  shape: Record<string, unknown>;
  position: Vector;
  orientation: [number, number, number, number];
  velocity: Vector;
  angular_velocity: Vector;
  mass?: number;
  restitution?: number;
  friction?: number;
  type?: BodyType;
}

export interface ContactRow {
  bodies: [number | null, number | null];
  point: Vector;
  normal: Vector;
  depth: number;
  impulse: number;
  /** Of the second as seen from the first when they first touched. */
  velocity: Vector;
}

export const OVERLAYS = ['grid', 'boxes', 'contacts', 'normals', 'velocities', 'octree', 'islands'] as const;
export type Overlay = (typeof OVERLAYS)[number];
export type Overlays = Record<Overlay, boolean>;

export const COLOURINGS = ['shape', 'state', 'speed'] as const;
export type Colouring = (typeof COLOURINGS)[number];

/** How the stage is drawn. */
export interface Looks {
  overlays: Overlays;
  depth: number;
  colouring: Colouring;
}

/** CSS colours of the theme. */
export interface Colours {
  isDark: boolean;
  ground: string;
  floor: string;
  line: string;
  text: string;
  muted: string;
  free: string;
  touching: string;
  box: string;
  normal: string;
  octree: string;
  island: string;
  selected: string;
  /** Of sphere, box, capsule, hull and all else. */
  shapes: [string, string, string, string, string];
  still: string;
}

/** What is done to the world; each can be taken back. */
export type Edit =
  /** Where there is room for it: over the others, or on the ground. */
  | { do: 'add'; words: object; where: 'above' | 'ground' }
  | { do: 'duplicate'; key: number }
  | { do: 'remove'; key: number }
  | { do: 'change'; key: number; words: object }
  | { do: 'rules'; words: object }
  /** Bounds around all that is there. */
  | { do: 'enclose' }
  /** Along the ground as it is seen, or up and down: each -1, 0 or 1. */
  | { do: 'push'; key: number; across: number; up: number; away: number }
  | { do: 'throw'; name: string; place: { x: number; y: number } | null }
  | { do: 'undo' }
  | { do: 'redo' };

export type ToWorker =
  | OfCanvas
  | { kind: 'theme'; colours: Colours }
  | { kind: 'looks'; looks: Looks }
  /** A scene from its words, or a preset; taken up at a later step, and looked at from somewhere, if that is told. */
  | { kind: 'open'; ask: number; scene: Source; playing: boolean; at?: Partial<Whereabouts> }
  | { kind: 'play' }
  | { kind: 'pause' }
  | { kind: 'step' }
  | { kind: 'seek'; step: number }
  | { kind: 'back' }
  /** Whatever takes long ends where it is. */
  | { kind: 'stop'; ask: number }
  | { kind: 'speed'; speed: number }
  | { kind: 'edit'; ask: number; edit: Edit }
  /** Which page of the list of contacts is looked at, from 0. */
  | { kind: 'contacts'; page: number }
  | { kind: 'select'; key: number | null }
  | { kind: 'select-at'; x: number; y: number }
  /** The hand takes hold of what lies here, if it moves; `grabbed` answers. */
  | { kind: 'grab'; x: number; y: number }
  | { kind: 'hand'; x: number; y: number }
  | { kind: 'let-go' }
  | { kind: 'orbit'; dx: number; dy: number }
  | { kind: 'pan'; dx: number; dy: number }
  | { kind: 'zoom'; factor: number }
  | { kind: 'home' }
  /** The words of the scene as it stands, all that was done since it began, or only where it stands. */
  | { kind: 'save'; ask: number; what: Saved };

export type FromPage = Exclude<ToWorker, OfCanvas>;

export type Saved = 'scene' | 'recording' | 'whereabouts';

/** What a link says beside the scene. */
export interface Whereabouts {
  step: number;
  /** `null` where the whole scene is in view by itself. */
  camera: CameraPlace | null;
  /** The place of the selected body in the list. */
  selected: number | null;
}

/** On the way to a step. */
export interface Going {
  at: number;
  to: number;
  why: 'open' | 'seek' | 'edit';
}

export type Source = { preset: string; seed: number } | { text: string; name: string };

/** Counts, sums and costs, in the order in which the engine tells them. */
export interface Figures {
  step: number;
  time: number;
  bodies: number;
  touching: number;
  asleep: number;
  pairs: number;
  contacts: number;
  islands: number;
  energy: number;
  kinetic: number;
  momentum: number;
  angularMomentum: number;
  /** Of the parts of a step, in ms: means over the steps since the last report. */
  costs: [move: number, broad: number, narrow: number, resolve: number];
  deepest: number;
}

/** Something that was hit, for the ear. */
export interface Struck {
  /** Where on the canvas, from 0 to 1. */
  across: number;
  mass: number;
  impulse: number;
  wall: boolean;
}

/** Where the place of a body, its speed and its number of contacts stand in its row, which is `size` numbers long. */
export const ROW = { place: 0, speed: 3, contacts: 4, size: 5 } as const;

export interface Report {
  figures: Figures;
  last: number;
  hash: string;
  /** Pictures a second; 0 while paused. */
  fps: number;
  struck: Struck[];
  /** Somebody stepped or went here. */
  stepped: boolean;
  /** Of each body, in the order of the list: `ROW` says what stands where. */
  rows: Float32Array;
  /** One page: of the selected body's, or of all. */
  contacts: ContactRow[];
  contactsPage: number;
  selected: BodyWords | null;
  /** Whose words and contacts these are. */
  selectedKey: number | null;
  whereabouts: Whereabouts;
}

/** There are other bodies or other rules. */
export interface WorldTold {
  rules: Rules;
  /** None where they are those that were told last. */
  bodies: BodyRow[] | null;
  undoable: number;
  redoable: number;
  /** Nothing was done to it but to let it run. */
  isAsOpened: boolean;
}

export type FromWorker =
  | { kind: 'ready'; catalogue: Catalogue }
  /** A question has come in; its answer may take longer. */
  | { kind: 'heard'; ask: number }
  | { kind: 'opened'; ask: number; world: WorldTold; text: string; report: Report }
  /** Another scene was asked for before this one was shown. */
  | { kind: 'overtaken'; ask: number }
  | { kind: 'refused'; ask: number; error: EngineError }
  /** With the numbers of those bodies: the ones before have rows of their own. */
  | { kind: 'world'; world: WorldTold; report: Report }
  /**
   * What is reported is the world after it, `from` is the step before it. No world is told where it is the same, and nothing
   * reported where it plays on and the next report shows it.
   */
  | { kind: 'edited'; ask: number; edit: Edit; key: number | null; from: number; world: WorldTold | null; report: Report | null }
  /** The scene as it stands, after another world was told: that is answered first, since a thousand bodies take long to be written. */
  | { kind: 'words'; text: string; step: number }
  /** There was nothing to be done. */
  | { kind: 'unchanged'; ask: number; edit: Edit }
  | { kind: 'going'; going: Going | null }
  | { kind: 'report'; report: Report }
  | { kind: 'playing'; playing: boolean }
  | { kind: 'selected'; key: number | null; chosen: boolean; report: Report }
  /** Nothing can be drawn here; all else goes on. */
  | { kind: 'unseen' }
  /** Where the middle of the selected body is drawn, in CSS pixels; nowhere if it is out of sight. */
  | { kind: 'mark'; place: { x: number; y: number } | null }
  | { kind: 'grabbed'; holds: boolean }
  | { kind: 'saved'; ask: number; text: string; whereabouts: Whereabouts }
  | { kind: 'failed'; message: string };
