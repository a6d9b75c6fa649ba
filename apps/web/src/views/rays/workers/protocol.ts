/**
 * Messages between page, inspector and stage of the rays view.
 *
 * The inspector owns the mesh, its structures and all results; it may be busy for long. The stage
 * only draws, so that it never waits for the inspector. Large data goes directly from one to the
 * other by a message port.
 */
import type { CameraPlace } from '../../../shared/webgl/orbit-camera.ts';
import type { OfCanvas } from '../../../shared/stage/worker-or-main-thread.ts';
import type { Vector } from '../../../shared/vector.ts';
import type { MeshFormat } from '../state/commands.ts';

/** Structures for comparison with the literature or of little memory: built on request, never recommended. */
export const FOR_COMPARISON = ['kd-tree', 'bsp', 'grid', 'compact-octree'] as const;
/** In display order. */
export const TECHNIQUES = ['brute', 'study-octree', 'octree', 'bvh', ...FOR_COMPARISON] as const;
export type Technique = (typeof TECHNIQUES)[number];

export const METRICS = ['tests', 'cells'] as const;
export type Metric = (typeof METRICS)[number];

/** Click modes of the stage. */
export const CLICKS = ['aim', 'eye', 'points', 'sight'] as const;
export type Click = (typeof CLICKS)[number];

export interface Catalog {
  scenes: { name: string; isRandom: boolean }[];
  techniques: string[];
  mostRandom: number;
  levels: number;
}

/** A generated scene, or a local file. */
export type Source = { scene: string; count: number; seed: number } | { file: File };

export interface MeshFacts {
  name: string;
  /** Null for a scene. */
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
  advice: { name: Technique } | null;
}

/** Origin and direction. */
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

/** Result of a ray in one structure. */
export interface CastResult {
  name: Technique;
  tests: number;
  boxes: number;
  t: number | null;
  triangle: number | null;
  u: number | null;
  v: number | null;
}

export interface Cast {
  structures: CastResult[];
  at: Place | null;
}

/**
 * Layout of a visit row: the box's corners, the entry parameter, the number of tests until the next
 * visit, and the closest hit so far.
 */
export const VISIT = { min: 0, max: 3, enters: 6, tests: 7, nearest: 8, size: 9 } as const;

export interface Traversal {
  technique: Technique;
  /** Layout: `VISIT`. */
  rows: Float32Array;
  /** Tested triangles in order, truncated if very many. */
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
  /** Position of the mean on the scale, 0 to 1. */
  shade: number;
  /** Number of pixels per bin of the scale. */
  histogram: number[];
  pixels: Uint8ClampedArray<ArrayBuffer>;
  /** Per pixel, once it is complete. */
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

export interface HeatMapRequest {
  eye: Vector;
  at: Vector;
  width: number;
  height: number;
  metric: Metric;
}

export type ToInspector =
  /** Port to the stage. */
  | { kind: 'port'; port: MessagePort }
  | { kind: 'open'; source: Source }
  /** Builds a structure that is not built automatically. */
  | { kind: 'build'; technique: Technique }
  | { kind: 'cast'; requestId: number; ray: Ray; technique: Technique }
  | { kind: 'boxes'; technique: Technique; depth: number }
  | { kind: 'pick'; requestId: number; ray: Ray }
  | { kind: 'sight'; requestId: number; ends: [Vector, Vector] }
  | { kind: 'heat'; requestId: number; request: HeatMapRequest }
  | { kind: 'stop-heat' }
  /** Requests the mesh as a file. */
  | { kind: 'save'; format: MeshFormat; fileName: string };

export type FromInspector =
  | { kind: 'ready'; catalog: Catalog; scale: Uint8ClampedArray<ArrayBuffer> }
  /** Current task; null when all is done. */
  | { kind: 'working'; stage: Stage | null }
  /** With a ray that hits the mesh, if it has a triangle with an area. */
  | { kind: 'opened'; facts: MeshFacts; ray: Ray }
  | { kind: 'refused'; what: string }
  | { kind: 'built'; structure: Structure; levels: Levels | null }
  /** Not built automatically: they would take long, or are for comparison. */
  | { kind: 'left-out'; techniques: Technique[] }
  | { kind: 'tried'; tried: Tried }
  | { kind: 'cast'; requestId: number; cast: Cast; traversal: Traversal }
  | { kind: 'picked'; requestId: number; place: Place | null }
  | { kind: 'sight'; requestId: number; sight: Sight | null }
  | { kind: 'heat'; requestId: number; heat: Heat }
  | { kind: 'saved'; bytes: Uint8Array<ArrayBuffer>; fileName: string }
  | { kind: 'heat-refused'; requestId: number; what: string }
  | { kind: 'failed'; message: string };

/** From inspector to stage, by their port. */
export type ToStageByPort =
  | { kind: 'mesh'; vertices: Float32Array<ArrayBuffer>; triangles: Uint32Array<ArrayBuffer>; min: Vector; max: Vector }
  | { kind: 'boxes'; boxes: Float32Array };

/** CSS colors of the theme. */
export interface Colors {
  isDark: boolean;
  ground: string;
  mesh: string;
  text: string;
  muted: string;
  cells: string;
  /** The node or cell of the present step. */
  visited: string;
  selected: string;
  hit: string;
  normal: string;
  tested: string;
  clear: string;
}

/** Overlays of the mesh. */
export interface Shown {
  ray: Ray | null;
  /** Ray parameter of the closest hit. */
  t: number | null;
  at: Place | null;
  /** Visited boxes, six numbers each, the current one last. */
  visited: Float32Array;
  /** Triangles tested in the current step. */
  tested: Uint32Array;
  sight: { ends: [Vector, Vector]; result: Sight | null } | null;
  /** The first of two points. */
  placed: Vector | null;
}

export type ToStage =
  | OfCanvas
  | { kind: 'port'; port: MessagePort }
  | { kind: 'theme'; colors: Colors }
  | { kind: 'shown'; shown: Shown }
  | { kind: 'camera'; place: CameraPlace | null }
  | { kind: 'orbit'; dx: number; dy: number }
  | { kind: 'pan'; dx: number; dy: number }
  | { kind: 'zoom'; factor: number }
  | { kind: 'home' }
  /** Requests the ray from the eye through this place; null: through the center. */
  | { kind: 'through'; requestId: number; place: { x: number; y: number } | null };

export type FromPage = Exclude<ToStage, OfCanvas>;

/** Label of an object, in CSS pixels. */
export interface Tag {
  name: TagName;
  x: number;
  y: number;
}
export type TagName = 'origin' | 'hit' | 'a' | 'b' | 'block';

/** The camera. */
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
  | { kind: 'no-renderer' }
  /** Sent once the camera is at rest. */
  | { kind: 'seen'; seen: Seen }
  /**
   * `beside` is a point on the ray at the depth of the mesh's center, used if the ray hits nothing.
   */
  | { kind: 'through'; requestId: number; ray: Ray; beside: Vector }
  | { kind: 'tags'; tags: Tag[] }
  | { kind: 'failed'; message: string };
