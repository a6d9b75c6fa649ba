/**
 * Messages between page and worker of the 2D view.
 *
 * The worker owns the world. The protocol contains no geometry: points are CSS pixels of the
 * canvas, objects are indices, texts come from the engine in every language.
 */

import type { OfCanvas } from '../../../shared/stage/worker-or-main-thread.ts';

export type Bounds = 'aabb' | 'circle';

/**
 * The study's means are over this many frames: the default length of an experiment and of the
 * page's history.
 */
export const MEAN_FRAMES = 500;

/** A scene, exactly. */
export interface Parameters {
  width: number;
  height: number;
  objects: number;
  bounds: Bounds;
  minSize: number;
  maxSize: number;
  minSpeed: number;
  maxSpeed: number;
  technique: string;
  /** 0: adaptive, or no cells. */
  cellSize: number;
  seed: number;
}

/** A validation error of the engine: one per field. */
export interface FieldError {
  /** `parameters` refers to the whole text: invalid JSON or unknown names. */
  field: keyof Parameters | 'parameters';
  problem:
    | 'not-a-number'
    | 'not-whole'
    | 'too-small'
    | 'too-large'
    | 'below-minimum'
    | 'larger-than-world'
    /** More overlapping pairs than a frame can hold; the limit is the maximum number of objects. */
    | 'too-crowded'
    | 'too-many-cells'
    | 'unknown';
  limit?: number;
}

/** A text in every language of the page. */
export type Text = Record<'en' | 'pt-BR', string>;

export interface Technique {
  name: string;
  label: Text;
  about: Text;
  ofStudy: boolean;
  takesCell: boolean;
  /** Chooses its cells itself for a cell size of 0. */
  choosesCell: boolean;
  drawsCells: boolean;
  /** Its objects lie on levels of cells. */
  hasLevels: boolean;
}

/** A value published in the study. */
export interface Published {
  objects: number;
  bounds: Bounds;
  technique: string;
  tests?: number;
  ms?: number;
}

export interface Experiment {
  number: number;
  title: Text;
  about: Text;
  varies: 'cellSize' | 'objects';
  frames: number;
  /** Every scene with every technique, and with every cell size where that is varied. */
  cases: Omit<Parameters, 'seed'>[];
  techniques: string[];
  published: Published[];
}

/** What the engine offers; the page adds nothing. */
export interface Catalog {
  techniques: Technique[];
  limits: Record<
    'objects' | 'side' | 'size' | 'speed' | 'cell' | 'seed' | 'frames',
    [number, number]
  >;
  defaults: Parameters;
  experiments: Experiment[];
}

export interface Colors {
  background: string;
  free: string;
  touching: string;
  cells: string;
  selected: string;
  box: string;
  text: string;
  /** Of the levels of an octree, from the root on. */
  levels: string[];
}

/** Overlays of the stage. */
export interface Overlays {
  cells: boolean;
  boxes: boolean;
  /** Boxes around objects connected by pairs. */
  groups: boolean;
  /** Colors of the objects by the level of their cell, of an octree. */
  levels: boolean;
}

/** Sort and sweep along one axis: 0 for x, and the variances of the centers. */
export interface Sweep {
  axis: number;
  variances: [x: number, y: number];
}

/** One case of an experiment or of a comparison. */
export interface ExperimentCase {
  parameters: Parameters;
  frames: number;
  /** Searches for the most objects at this frame rate, from those of the parameters on. */
  fps?: number;
}

/** Means over the frames of one case. */
export interface Measured {
  parameters: Parameters;
  frames: number;
  testsPerFrame: number;
  pairsPerFrame: number;
  /** Null if missed pairs were not counted. */
  missedPairs: number | null;
  msPerFrame: number;
  /** Relative spread of the times within the case; null for too few frames. */
  spread: number | null;
  /** Resolution of the clock: shorter times are indistinguishable. */
  clockMs: number;
  /** Frames per second of moving, detecting and drawing, not limited by the display. */
  fps: number;
  bytes: number;
  /** Cells, tiles or nodes per object; null if the technique has none. */
  cellsPerObject: number | null;
  /** The objects are the most at this frame rate; or the world held no more, and they are fewer. */
  capacity?: { fps: number; atLeast: boolean };
}

export type ToWorker =
  | OfCanvas
  | { kind: 'theme'; colors: Colors }
  /**
   * Starts a scene; the response carries the request's number. `selected` is the object to select,
   * or null for none; if absent, the current selection is kept if the world has that object. A
   * world that is resumed at a later frame was moved but not searched up to it.
   */
  | { kind: 'start'; requestId: number; parameters: Parameters; playing: boolean; selected?: number | null; frame?: number }
  /** Changes the technique of the running world. */
  | { kind: 'change'; requestId: number; technique: string; cellSize: number }
  | { kind: 'play' }
  | { kind: 'pause' }
  | { kind: 'step' }
  | { kind: 'overlays'; overlays: Overlays }
  /** Selects the object within `reach` of this position, or none. */
  | { kind: 'select-at'; x: number; y: number; reach: number }
  /** Hovers this position, or none; ignored while another object is selected. */
  | { kind: 'point-at'; place: { x: number; y: number } | null }
  | { kind: 'select'; object: number | null }
  /** Next or previous object by index. */
  | { kind: 'select-by'; by: 1 | -1 }
  | { kind: 'pan'; dx: number; dy: number }
  | { kind: 'zoom'; factor: number; x: number; y: number }
  | { kind: 'fit' }
  | { kind: 'measure'; id: number; cases: ExperimentCase[] }
  | { kind: 'cancel'; id: number }
  | { kind: 'advise' };

/** Messages of the page; the proxy adds those about the canvas. */
export type FromPage = Exclude<ToWorker, OfCanvas>;

export interface Sums {
  frames: number;
  tests: number;
  pairs: number;
  missed: number;
  ms: number;
}

/** Impact of a pair that began to touch, or of an object on a wall, for the sound. */
export interface Impact {
  /** Horizontal position on the canvas, 0 to 1. */
  across: number;
  /** Edge of a square of equal area; for two objects the geometric mean. */
  size: number;
  /** Of elastic bodies whose mass is their area. */
  impulse: number;
  wall: boolean;
}

export interface FrameReport {
  frame: number;
  objects: number;
  tests: number;
  pairs: number;
  /** Null if missed pairs were not counted. */
  missed: number | null;
  touching: number;
  /** Collision phase: mean over the frames since the last report. */
  ms: number;
  /** Over the last second; 0 while paused. */
  fps: number;
  bytes: number;
  /** Null for other techniques. */
  sweep: Sweep | null;
  /** Number of objects on each level of an octree; null unless they are shown. */
  levels: number[] | null;
  /** Over the last frames of this technique, at most `MEAN_FRAMES`. */
  sums: Sums;
  /** Since the last report. */
  struck: Impact[];
  /** The frame that a `step` requested. */
  stepped: boolean;
}

export interface Selection {
  object: number;
  /** Selected permanently; otherwise only hovered. */
  kept: boolean;
  box: [number, number, number, number];
  cells: number;
  /** The objects it was tested against, without duplicates, truncated. */
  tested: number[];
  /** Their total number. */
  testedOthers: number;
  /** Number of tests. */
  testedCount: number;
  touching: number[];
  missed: number[];
}

/** Recommended technique for a scene, with cell size if it has cells, and the reason. */
export interface Advice {
  technique: string;
  cell: number | null;
  reason: Text;
}

/** The visible part of the world. */
export interface Seen {
  /** No object is visible. */
  empty: boolean;
  /** Zooming out further is impossible. */
  whole: boolean;
}

export type FromWorker =
  | { kind: 'ready'; catalog: Catalog }
  | { kind: 'started'; requestId: number; parameters: Parameters }
  /** Response to `change`: the world goes on. */
  | { kind: 'changed'; requestId: number; parameters: Parameters }
  | { kind: 'refused'; requestId: number; problems: FieldError[] }
  | { kind: 'frame'; report: FrameReport }
  | { kind: 'playing'; playing: boolean }
  /** Sent on every change, and for every scene that is started. */
  | { kind: 'seen'; seen: Seen }
  /**
   * `chosen`: the response to a selection; otherwise an update of the selected or hovered object.
   */
  | { kind: 'selected'; selection: Selection | null; chosen: boolean }
  /**
   * In frames, over all cases; with the remaining time of the present case, once it has had a
   * frame.
   */
  | { kind: 'progress'; id: number; done: number; of: number; now: Parameters; leftMs: number | null }
  | { kind: 'measured'; id: number; row: Measured }
  /** The engine rejected this case; the next one follows. */
  | { kind: 'not-measured'; id: number; parameters: Parameters; problems: FieldError[] }
  | { kind: 'finished'; id: number; cancelled: boolean }
  | ({ kind: 'advice' } & Advice)
  /** Sent by the proxy: the scene was too far on to be resumed where it was. */
  | { kind: 'restarted' }
  | { kind: 'failed'; message: string };
