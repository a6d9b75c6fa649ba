/**
 * What do the page and the worker say to each other?
 *
 * The page asks, the worker owns the world. Nothing here is geometry: points are pixels of the
 * canvas in CSS units, objects are numbers, texts come from the engine in every language.
 */

import type { OfCanvas } from '../../shared/stage/runners.ts';

export type Bounds = 'aabb' | 'circle';

/** The study's means are over this many frames: the usual length of an experiment, and of what the page keeps. */
export const MEAN_FRAMES = 500;

/** One scene, to the bit. */
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
  /** 0: the technique chooses, or has none. */
  cellSize: number;
  seed: number;
}

/** Why the engine refuses a scene: one entry a field. */
export interface Problem {
  /** `parameters` is all of it: the text that holds them cannot be read, or names what does not exist. */
  field: keyof Parameters | 'parameters';
  problem:
    | 'not-a-number'
    | 'not-whole'
    | 'too-small'
    | 'too-large'
    | 'below-minimum'
    | 'larger-than-world'
    /** So many pairs would overlap that a frame could not hold them; the limit is the most objects. */
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
  /** Given a size of 0, it chooses its cells itself. */
  choosesCell: boolean;
  drawsCells: boolean;
}

/** A value that the study printed. */
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
  /** Every scene with every technique, and every size of cells where that is what varies. */
  cases: Omit<Parameters, 'seed'>[];
  techniques: string[];
  published: Published[];
}

/** What the engine offers; the page adds nothing to it. */
export interface Catalogue {
  techniques: Technique[];
  limits: Record<
    'objects' | 'side' | 'size' | 'speed' | 'cell' | 'seed' | 'frames',
    [number, number]
  >;
  defaults: Parameters;
  experiments: Experiment[];
}

export interface Colours {
  background: string;
  free: string;
  touching: string;
  cells: string;
  selected: string;
  box: string;
  text: string;
}

/** What is drawn beside the objects. */
export interface Overlays {
  cells: boolean;
  boxes: boolean;
}

/** One case of an experiment or of a comparison. */
export interface ExperimentCase {
  parameters: Parameters;
  frames: number;
}

/** Means over the frames of one case. */
export interface Measured {
  parameters: Parameters;
  frames: number;
  testsPerFrame: number;
  pairsPerFrame: number;
  /** None where no other technique looked for them. */
  missedPairs: number | null;
  msPerFrame: number;
  /** The step of the clock that timed it: shorter times are not told apart. */
  clockMs: number;
  /** Frames a second with moving, detection and drawing, not held back by the display. */
  fps: number;
  bytes: number;
  /** In how many cells, tiles or nodes an object stands; none where there are none. */
  cellsPerObject: number | null;
}

export type ToWorker =
  | OfCanvas
  | { kind: 'theme'; colours: Colours }
  /**
   * A scene, from its start. Its answer names the number of the question. `selected` is the object to keep,
   * none if null; not given, the one that is selected stays if the world has it. A world that is taken up
   * again at a later frame was only moved until then, not searched.
   */
  | { kind: 'start'; ask: number; parameters: Parameters; playing: boolean; selected?: number | null; frame?: number }
  /** The same world goes on with another technique. */
  | { kind: 'change'; ask: number; technique: string; cellSize: number }
  | { kind: 'play' }
  | { kind: 'pause' }
  | { kind: 'step' }
  | { kind: 'overlays'; overlays: Overlays }
  /** Keeps what lies there selected, or nothing. */
  | { kind: 'select-at'; x: number; y: number }
  /** The pointer passes over, or leaves: looks at what lies there, unless another is kept. */
  | { kind: 'point-at'; place: { x: number; y: number } | null }
  | { kind: 'select'; object: number | null }
  /** The next or the one before, by number. */
  | { kind: 'select-by'; by: 1 | -1 }
  | { kind: 'pan'; dx: number; dy: number }
  | { kind: 'zoom'; factor: number; x: number; y: number }
  | { kind: 'fit' }
  | { kind: 'measure'; id: number; cases: ExperimentCase[] }
  | { kind: 'cancel'; id: number }
  | { kind: 'advise' };

/** What the page says; canvas and size are the host's business. */
export type FromPage = Exclude<ToWorker, OfCanvas>;

export interface Sums {
  frames: number;
  tests: number;
  pairs: number;
  missed: number;
  ms: number;
}

/** A pair that began to touch, or an object that met a wall, for the ear. */
export interface Struck {
  /** Where on the canvas, from 0 to 1. */
  across: number;
  /** The edge of a square as large; of two objects the geometric mean. */
  size: number;
  /** Of elastic bodies as heavy as their areas. */
  impulse: number;
  wall: boolean;
}

export interface FrameReport {
  frame: number;
  objects: number;
  tests: number;
  pairs: number;
  /** None where no other technique looks for them. */
  missed: number | null;
  touching: number;
  /** The collision phase: mean over the frames since the last report. */
  ms: number;
  /** Over the last second; 0 while paused. */
  fps: number;
  bytes: number;
  /** Over the last frames of this technique, `MEAN_FRAMES` at most. */
  sums: Sums;
  /** Since the last report. */
  struck: Struck[];
  /** The frame that a `step` asked for. */
  stepped: boolean;
}

export interface Selection {
  object: number;
  /** Until it is let go; else only as long as the pointer rests on it. */
  kept: boolean;
  box: [number, number, number, number];
  cells: number;
  /** Whom it was tested against, each once, as far as they are named. */
  tested: number[];
  /** How many those are, all of them. */
  testedOthers: number;
  /** In how many tests. */
  testedCount: number;
  touching: number[];
  missed: number[];
}

/** Which technique suits a scene, with which cells if it has any, and why. */
export interface Advice {
  technique: string;
  cell: number | null;
  reason: Text;
}

/** What the reader sees of the world. */
export interface Seen {
  /** No object is in view. */
  empty: boolean;
  /** There is nothing farther out: the world is as small as it gets. */
  whole: boolean;
}

export type FromWorker =
  | { kind: 'ready'; catalogue: Catalogue }
  | { kind: 'started'; ask: number; parameters: Parameters }
  /** The answer to `change`: the world went on. */
  | { kind: 'changed'; ask: number; parameters: Parameters }
  | { kind: 'refused'; ask: number; problems: Problem[] }
  | { kind: 'frame'; report: FrameReport }
  | { kind: 'playing'; playing: boolean }
  /** Told when it changes, and of every scene that is started. */
  | { kind: 'seen'; seen: Seen }
  /** `chosen`: it answers a choice; else it is news of the one that was chosen, or what the pointer rests on. */
  | { kind: 'selected'; selection: Selection | null; chosen: boolean }
  /** In frames, over all cases; of the present one also how long it will go on, once it has had a frame. */
  | { kind: 'progress'; id: number; done: number; of: number; now: Parameters; leftMs: number | null }
  | { kind: 'measured'; id: number; row: Measured }
  /** The engine refuses this case; the next one goes on. */
  | { kind: 'not-measured'; id: number; parameters: Parameters; problems: Problem[] }
  | { kind: 'finished'; id: number; cancelled: boolean }
  | ({ kind: 'advice' } & Advice)
  /** The host's own word: the scene had come too far to be taken up where it was. */
  | { kind: 'anew' }
  | { kind: 'failed'; message: string };
