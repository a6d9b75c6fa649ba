/**
 * Messages between page and worker of the 3D view.
 *
 * The worker owns the world and its history. The protocol contains no geometry except the pointer:
 * positions are CSS pixels of the canvas, bodies are keys, scenes are JSON as for `embate
 * simulate`.
 */
import type { CameraPlace } from '../../../shared/webgl/orbit-camera.ts';
import type { OfCanvas } from '../../../shared/stage/worker-or-main-thread.ts';
import type { Vector } from '../../../shared/vector.ts';
import type { EngineError } from '../i18n/engine-errors.ts';

/** A text in every language of the page. */
export type Text = Record<'en' | 'pt-BR', string>;

export interface Preset {
  name: string;
  title: Text;
  about: Text;
  takesSeed: boolean;
  /** Name and description in its scene file, which identify scenes derived from it. */
  own: { name: string | null; description: string | null };
}

/** An item of a choice that the engine offers. */
export interface Choice {
  name: string;
  label: Text;
}

export interface Catalog {
  presets: [Preset, ...Preset[]];
  broadPhases: Choice[];
  integrators: Choice[];
  responses: Choice[];
  mostSubsteps: number;
  /** Maximum step of a seek. */
  mostSteps: number;
  /** Maximum coordinate in m, limited by the engine's precision. */
  farthest: number;
  contactsAPage: number;
}

export type Solver = 'soft-step' | 'event-driven' | 'baseline';

/** Rules of the world. */
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
  integrator: string;
  response: string;
  tolerance: number;
  octree: { max_depth: number; min_cell_size: number };
}

/** A method of simulation. */
export type Method = Pick<Rules, 'solver' | 'broad_phase' | 'integrator' | 'response'>;

export type BodyType = 'dynamic' | 'kinematic' | 'fixed';

/** Properties of a body that do not change while it moves. */
export interface BodyRow {
  key: number;
  name: string;
  shape: string;
  mass: number;
  type: BodyType;
  restitution: number;
  friction: number;
}

/** JSON of a body in its current state; unknown keys are preserved. */
export interface BodyJson {
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
  /** Velocity of the second body relative to the first at their first contact. */
  velocity: Vector;
}

export const OVERLAYS = ['grid', 'boxes', 'contacts', 'normals', 'velocities', 'octree', 'groups', 'islands'] as const;
export type Overlay = (typeof OVERLAYS)[number];
export type Overlays = Record<Overlay, boolean>;

export const COLORINGS = ['shape', 'state', 'speed', 'level'] as const;
export type Coloring = (typeof COLORINGS)[number];

/** Display options of the stage. */
export interface DisplayOptions {
  overlays: Overlays;
  depth: number;
  coloring: Coloring;
}

/** CSS colors of the theme. */
export interface Colors {
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
  /** For sphere, box, capsule, hull and others. */
  shapes: [string, string, string, string, string];
  still: string;
  /** Of the levels of the octree, from the root on. */
  levels: string[];
}

/** Edits of the world; all can be undone, and so can opening another scene. */
export type Edit =
  /** At a free position close to what the camera looks at: above the bodies there, or on the ground. */
  | { do: 'add'; json: object; where: 'above' | 'ground' }
  | { do: 'duplicate'; key: number }
  | { do: 'remove'; key: number }
  /** Removes every body. */
  | { do: 'clear' }
  | { do: 'change'; key: number; json: object }
  | { do: 'rules'; json: object }
  /** Creates bounds around all bodies. */
  | { do: 'enclose' }
  /** Along the ground as seen, or up and down: each -1, 0 or 1. */
  | { do: 'push'; key: number; across: number; up: number; away: number }
  | { do: 'throw'; name: string; place: { x: number; y: number } | null }
  | { do: 'undo' }
  | { do: 'redo' };

export type ToWorker =
  | OfCanvas
  | { kind: 'theme'; colors: Colors }
  | { kind: 'display'; display: DisplayOptions }
  /** Opens a scene JSON or a preset, optionally at a later step and with a camera. */
  | { kind: 'open'; requestId: number; scene: Source; playing: boolean; at?: Partial<Whereabouts> }
  | { kind: 'play' }
  | { kind: 'pause' }
  | { kind: 'step' }
  | { kind: 'seek'; step: number }
  | { kind: 'back' }
  /** Stops a long operation at its current step. */
  | { kind: 'stop'; requestId: number }
  | { kind: 'speed'; speed: number }
  /** Settings of a second world that runs beside the first; null ends the comparison. */
  | { kind: 'compare'; settings: object | null }
  | { kind: 'edit'; requestId: number; edit: Edit }
  /** Requests a page of the contacts, zero-based. */
  | { kind: 'contacts'; page: number }
  | { kind: 'select'; key: number | null }
  | { kind: 'select-at'; x: number; y: number }
  /** Grabs the body at this position if it is dynamic; the response is `grabbed`. */
  | { kind: 'grab'; x: number; y: number }
  | { kind: 'drag'; x: number; y: number }
  | { kind: 'release' }
  | { kind: 'orbit'; dx: number; dy: number }
  | { kind: 'pan'; dx: number; dy: number }
  | { kind: 'zoom'; factor: number }
  | { kind: 'home' }
  /** Requests the scene JSON, the recording, or only the whereabouts. */
  | { kind: 'save'; requestId: number; what: Saved };

export type FromPage = Exclude<ToWorker, OfCanvas>;

export type Saved = 'scene' | 'recording' | 'series' | 'whereabouts';

/** State of a link besides the scene. */
export interface Whereabouts {
  step: number;
  /** `null` for the automatic view of the whole scene. */
  camera: CameraPlace | null;
  /** Index of the selected body. */
  selected: number | null;
}

/** An ongoing seek. */
export interface SeekProgress {
  at: number;
  to: number;
  why: 'open' | 'seek' | 'edit';
}

export interface PresetSource {
  preset: string;
  seed: number;
}

export type Source = PresetSource | { text: string; name: string };

/** Counts, sums and costs, in the engine's order. */
export interface Stats {
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
  /** Cost of each stage of a step in ms: means over the steps since the last report. */
  costs: [move: number, broad: number, narrow: number, resolve: number];
  deepest: number;
}

/** An impact, for the sound. */
export interface Impact {
  /** Horizontal position on the canvas, 0 to 1. */
  across: number;
  mass: number;
  impulse: number;
  wall: boolean;
}

/** Layout of a body's row: position, speed, number of contacts, velocity; `size` is its length. */
export const ROW = { place: 0, speed: 3, contacts: 4, velocity: 5, size: 8 } as const;

/** The second world of a comparison, and how far it is from the first. */
export interface ComparisonReport {
  /** Step at which both were equal. */
  from: number;
  method: Method;
  figures: Stats;
  /** Greatest distance between the two positions of a body in m, and the mean of the dynamic bodies. */
  max: number;
  mean: number;
  /** Body with the greatest distance; null if all positions are equal. */
  key: number | null;
}

export interface Report {
  figures: Stats;
  last: number;
  hash: string;
  /** Frames per second; 0 while paused. */
  fps: number;
  impacts: Impact[];
  /** The user stepped or sought here. */
  stepped: boolean;
  /** One row per body, in list order; layout: `ROW`. */
  rows: Float32Array;
  /** One page, of the selected body or of all. */
  contacts: ContactRow[];
  contactsPage: number;
  selected: BodyJson | null;
  /** The body that JSON and contacts refer to. */
  selectedKey: number | null;
  whereabouts: Whereabouts;
  comparison: ComparisonReport | null;
  /** Number of bodies on each level of the octree; null unless the levels are shown. */
  levels: number[] | null;
}

/** The bodies or rules have changed. */
export interface WorldState {
  rules: Rules;
  /** Null if they are unchanged since the last message. */
  bodies: BodyRow[] | null;
  undoable: number;
  redoable: number;
  /** The scene was not edited since it was opened. */
  isUnmodified: boolean;
}

export type FromWorker =
  | { kind: 'ready'; catalog: Catalog }
  /** Acknowledges a request whose response may take longer. */
  | { kind: 'acknowledged'; requestId: number }
  /**
   * `preset`: from which the world was opened; null for a file or link. `again`: an undo or redo has
   * returned to this world.
   */
  | { kind: 'opened'; requestId: number; world: WorldState; text: string; report: Report; preset: PresetSource | null; again: 'undo' | 'redo' | null }
  /** Another scene was requested before this one was shown. */
  | { kind: 'superseded'; requestId: number }
  | { kind: 'refused'; requestId: number; error: EngineError }
  /** With a report for the new bodies: rows of the previous ones have other indices. */
  | { kind: 'world'; world: WorldState; report: Report }
  /**
   * The report describes the world after the edit; `from` is the step before it. Without `world` if
   * it is unchanged, and without `report` if playback will send the next one.
   */
  | { kind: 'edited'; requestId: number; edit: Edit; key: number | null; from: number; world: WorldState | null; report: Report | null }
  /**
   * The scene JSON, sent after the response to an edit: serializing a thousand bodies takes long.
   */
  | { kind: 'json'; text: string; step: number }
  /** There was nothing to do. */
  | { kind: 'unchanged'; requestId: number; edit: Edit }
  | { kind: 'seeking'; seekProgress: SeekProgress | null }
  | { kind: 'report'; report: Report }
  | { kind: 'playing'; playing: boolean }
  | { kind: 'selected'; key: number | null; chosen: boolean; report: Report }
  /** A comparison has begun, or cannot begin for this reason. */
  | { kind: 'compared'; error: EngineError | null }
  /** The renderer is not available; the engine runs without it. */
  | { kind: 'no-renderer' }
  /** Position of the selected body's center in CSS pixels; null if it is not visible. */
  | { kind: 'mark'; place: { x: number; y: number } | null }
  | { kind: 'grabbed'; holds: boolean }
  | { kind: 'saved'; requestId: number; text: string; whereabouts: Whereabouts }
  | { kind: 'failed'; message: string };
