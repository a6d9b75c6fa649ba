/**
 * What do the page, the bench and the stage say to each other?
 *
 * The bench owns the mesh, its structures and every answer; it may be long at work. The stage only draws, so that it never
 * waits for the bench. What is large goes from one to the other by a port of their own, past the page.
 */
import type { CameraPlace } from '../../shared/stage/orbit-camera.ts';
import type { OfCanvas } from '../../shared/stage/runners.ts';
import type { Vector } from '../../shared/vector.ts';

/** Side by side, in this order. */
export const TECHNIQUES = ['brute', 'study-octree', 'octree', 'bvh'] as const;
export type Technique = (typeof TECHNIQUES)[number];

export const METRICS = ['tests', 'cells'] as const;
export type Metric = (typeof METRICS)[number];

/** What a click on the stage does. */
export const CLICKS = ['aim', 'eye', 'points', 'sight'] as const;
export type Click = (typeof CLICKS)[number];

export interface Catalogue {
  scenes: { name: string; isRandom: boolean }[];
  techniques: string[];
  mostRandom: number;
  levels: number;
}

/** A scene that is made, or a file of the reader's own. */
export type Source = { scene: string; count: number; seed: number } | { file: File };

export interface Facts {
  name: string;
  /** None of a scene. */
  format: string | null;
  file_bytes: number;
  triangles: number;
  vertices: number;
  degenerate: number;
  min: Vector;
  max: Vector;
}

export interface Structure {
  name: Technique;
  bytes: number;
  build_s: number;
  boxes: number;
  leaves: number;
  references: number;
  deepest: number;
  budget: number | null;
}

export interface Levels {
  triangles: number[];
  affinity: 'low' | 'medium' | 'high';
}

export interface Tried {
  rays: { name: string; seconds: number }[];
  advice: { name: Technique; reason: Record<'en' | 'pt-BR', string> } | null;
}

/** Where it begins, and where to. */
export interface Ray {
  origin: Vector;
  direction: Vector;
}

export interface Place {
  point: Vector;
  normal: Vector;
  triangle: number;
  corners: [Vector, Vector, Vector];
}

/** One structure's answer to a ray. */
export interface CastOf {
  name: Technique;
  tests: number;
  boxes: number;
  t: number | null;
  triangle: number | null;
  u: number | null;
  v: number | null;
}

export interface Cast {
  structures: CastOf[];
  at: Place | null;
}

/** Where the corners of a box stand in the row of a visit, where the ray enters it, the tests until the next, and the nearest hit then. */
export const VISIT = { min: 0, max: 3, enters: 6, tests: 7, nearest: 8, size: 9 } as const;

export interface Walk {
  technique: Technique;
  /** `VISIT` says what stands where. */
  rows: Float32Array;
  /** Triangles that were tested, in order; of very many only the first. */
  tested: Uint32Array;
}

export interface Sight {
  blocked: boolean;
  t: number | null;
  at: Place | null;
}

export interface HeatMap {
  name: Technique;
  total: number;
  mean: number;
  max: number;
  /** Where its mean lies on the scale, from 0 to 1. */
  shade: number;
  /** How many pixels lie in each part of the scale. */
  histogram: number[];
  pixels: Uint8ClampedArray<ArrayBuffer>;
  /** Of each pixel, once it is done. */
  heat: Uint32Array | null;
}

export interface Heat {
  progress: number;
  width: number;
  height: number;
  metric: Metric;
  most: number;
  ticks: { heat: number; shade: number }[];
  maps: HeatMap[];
}

export type Stage = 'reading' | 'parsing' | 'drawing' | Technique | 'trying';

export interface HeatAsked {
  eye: Vector;
  at: Vector;
  width: number;
  height: number;
  metric: Metric;
}

export type ToBench =
  /** To whoever draws. */
  | { kind: 'port'; port: MessagePort }
  | { kind: 'open'; source: Source }
  /** One that is not built by itself. */
  | { kind: 'build'; technique: Technique }
  | { kind: 'cast'; ask: number; ray: Ray; technique: Technique }
  | { kind: 'boxes'; technique: Technique; depth: number }
  | { kind: 'pick'; ask: number; ray: Ray }
  | { kind: 'sight'; ask: number; ends: [Vector, Vector] }
  | { kind: 'heat'; ask: number; asked: HeatAsked }
  | { kind: 'stop-heat' };

export type FromBench =
  | { kind: 'ready'; catalogue: Catalogue; scale: Uint8ClampedArray<ArrayBuffer> }
  /** What it is at; nothing once all is done. */
  | { kind: 'working'; stage: Stage | null }
  | { kind: 'opened'; facts: Facts }
  | { kind: 'refused'; what: string }
  | { kind: 'built'; structure: Structure; levels: Levels | null }
  /** Left out until somebody asks: it would take long. */
  | { kind: 'left-out'; technique: Technique }
  | { kind: 'tried'; tried: Tried }
  | { kind: 'cast'; ask: number; cast: Cast; walk: Walk }
  | { kind: 'picked'; ask: number; place: Place | null }
  | { kind: 'sight'; ask: number; sight: Sight | null }
  | { kind: 'heat'; ask: number; heat: Heat }
  | { kind: 'heat-refused'; ask: number; what: string }
  | { kind: 'failed'; message: string };

/** From the bench to the stage, by their own port. */
export type ToStageByPort =
  | { kind: 'mesh'; vertices: Float32Array<ArrayBuffer>; triangles: Uint32Array<ArrayBuffer>; min: Vector; max: Vector }
  | { kind: 'boxes'; boxes: Float32Array };

/** CSS colours of the theme. */
export interface Colours {
  isDark: boolean;
  ground: string;
  mesh: string;
  text: string;
  muted: string;
  cells: string;
  selected: string;
  hit: string;
  normal: string;
  tested: string;
  clear: string;
}

/** What lies over the mesh. */
export interface Shown {
  ray: Ray | null;
  /** Of the ray, where our structures are hit. */
  t: number | null;
  at: Place | null;
  /** Boxes that were visited, six numbers each, the present one last. */
  visited: Float32Array;
  /** Triangles that are tested at present. */
  tested: Uint32Array;
  sight: { ends: [Vector, Vector]; result: Sight | null } | null;
  /** A first point that waits for a second. */
  placed: Vector | null;
}

export type ToStage =
  | OfCanvas
  | { kind: 'port'; port: MessagePort }
  | { kind: 'theme'; colours: Colours }
  | { kind: 'shown'; shown: Shown }
  | { kind: 'camera'; place: CameraPlace | null }
  | { kind: 'orbit'; dx: number; dy: number }
  | { kind: 'pan'; dx: number; dy: number }
  | { kind: 'zoom'; factor: number }
  | { kind: 'home' }
  /** Which ray goes from the eye through this place? In the middle unless told. */
  | { kind: 'through'; ask: number; place: { x: number; y: number } | null };

export type FromPage = Exclude<ToStage, OfCanvas>;

/** A name beside something that is drawn, in CSS pixels. */
export interface Tag {
  name: TagName;
  x: number;
  y: number;
}
export type TagName = 'origin' | 'hit' | 'a' | 'b' | 'block';

/** From where the mesh is seen. */
export interface Seen {
  eye: Vector;
  at: Vector;
  place: CameraPlace;
  isHome: boolean;
  /** Width over height. */
  aspect: number;
}

export type FromStage =
  | { kind: 'ready' }
  | { kind: 'unseen' }
  /** Once nobody turns it any more. */
  | { kind: 'seen'; seen: Seen }
  /** `beside` is a point as far away as the middle of the mesh, where the ray hits nothing. */
  | { kind: 'through'; ask: number; ray: Ray; beside: Vector }
  | { kind: 'tags'; tags: Tag[] }
  | { kind: 'failed'; message: string };
