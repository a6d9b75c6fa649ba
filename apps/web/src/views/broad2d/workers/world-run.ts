/**
 * Typed wrapper of the wasm `Run`.
 *
 * The returned views show the current engine memory, even after it has grown; they must not be kept
 * across the next call into the engine.
 */

import type { Advice, Parameters, FieldError, Selection, Sweep } from './protocol.ts';
import type { Engine, EngineRun } from './engine.ts';

/** Bits of an object's flags. */
export const TOUCHING = 1;
export const MISSED = 2;

/** Everything about one object; cells as minX, minY, maxX, maxY. */
export interface Inspection extends Omit<Selection, 'cells' | 'kept'> {
  cells: [number, number, number, number][];
}

/** The engine rejects these parameters. */
export class Rejection extends Error {
  readonly problems: FieldError[];

  constructor(problems: FieldError[]) {
    super('the engine refuses the scene');
    this.problems = problems;
  }
}

export class World {
  parameters: Parameters;
  readonly #run: EngineRun;
  readonly #memory: WebAssembly.Memory;
  #objects = new Float32Array();
  #flags = new Uint8Array();

  /** Throws a `Rejection`, or the engine's failure. */
  constructor(engine: Engine, parameters: Parameters) {
    this.#run = orRejection(() => new engine.Run(JSON.stringify(parameters)));
    this.#memory = engine.memory;
    this.parameters = parameters;
  }

  has(object: number): boolean {
    return object < this.#run.objects;
  }

  /** Moves to a frame and searches it; the frames in between are not searched. */
  goTo(frame: number): void {
    if (frame <= this.#run.frame) return;
    while (this.#run.frame < frame) this.#run.advance();
    this.#run.detect();
    this.#run.settle();
  }

  /** Moves all objects by 1/60 s. */
  advance(): void {
    this.#run.advance();
  }

  /** Finds the overlapping pairs. This alone is the collision phase; returns its time in ms. */
  detect(): number {
    const before = performance.now();
    this.#run.detect();
    return performance.now() - before;
  }

  /** Counts the results of the detection, and marks touching objects. */
  settle(): void {
    this.#run.settle();
  }

  /**
   * Changes the technique in the running world. Throws like the constructor, and then nothing has
   * changed.
   */
  change(technique: string, cellSize: number): void {
    orRejection(() => this.#run.change(technique, cellSize));
    this.parameters = { ...this.parameters, technique, cellSize };
  }

  /** Searches once more, and records the visited cells. */
  look(): void {
    this.#run.logCells();
  }

  /** Groups the objects by the pairs of this frame. */
  group(): void {
    this.#run.logGroups();
  }

  /** Searches once more, and records the level of each object in an octree. */
  level(): void {
    this.#run.logLevels();
  }

  /** Inspects one object by searching once more; null if it does not exist. */
  inspect(object: number): Inspection | null {
    return JSON.parse(this.#run.inspect(object)) as Inspection | null;
  }

  /** The object at a world point, or the nearest within `reach`. */
  objectAt(x: number, y: number, reach: number): number | null {
    const object = this.#run.objectAt(x, y, reach);
    return object < 0 ? null : object;
  }

  advice(): Advice {
    return JSON.parse(this.#run.advice()) as Advice;
  }

  get counts(): Pick<EngineRun, CountName> {
    return this.#run;
  }

  /** Four numbers per object: x and y of the minimum corner, width, height. */
  get objects(): Float32Array {
    const address = this.#run.objectsPointer();
    if (!shows(this.#objects, this.#memory, address, this.#run.objectsLength)) {
      this.#objects = new Float32Array(this.#memory.buffer, address, this.#run.objectsLength);
    }
    return this.#objects;
  }

  /** One byte per object, of `TOUCHING` and `MISSED`. */
  get flags(): Uint8Array {
    const address = this.#run.flagsPointer();
    if (!shows(this.#flags, this.#memory, address, this.#run.objects)) {
      this.#flags = new Uint8Array(this.#memory.buffer, address, this.#run.objects);
    }
    return this.#flags;
  }

  /** Cells of the last inspection, four numbers each: minX, minY, maxX, maxY. */
  get cells(): Float32Array {
    return new Float32Array(this.#memory.buffer, this.#run.cellsPointer(), this.#run.cellsLength);
  }

  /** Boxes around the groups of the last `group`, four numbers each. */
  get groups(): Float32Array {
    return new Float32Array(this.#memory.buffer, this.#run.groupsPointer(), this.#run.groupsLength);
  }

  /** Levels of the last `level`, one byte per object; empty for techniques without levels. */
  get levels(): Uint8Array {
    return new Uint8Array(this.#memory.buffer, this.#run.levelsPointer(), this.#run.levelsLength);
  }

  /** The sweep of the last search; null for other techniques. */
  get sweep(): Sweep | null {
    const [axis, x = 0, y = 0] = this.#run.sweep();
    return axis === undefined ? null : { axis, variances: [x, y] };
  }

  /**
   * Four numbers per pair that began to touch in this frame, or per wall impact: x, size, impulse,
   * 1 for a wall.
   */
  get strikes(): Float32Array {
    return new Float32Array(this.#memory.buffer, this.#run.impactsPointer(), this.#run.impactsLength);
  }

  free(): void {
    this.#run.free();
  }
}

type CountName =
  | 'frame'
  | 'objects'
  | 'tests'
  | 'pairs'
  | 'missed'
  | 'hasReference'
  | 'touching'
  | 'bytes'
  | 'totalTests'
  | 'totalPairs'
  | 'totalMissed'
  | 'totalReferences';

function shows(
  view: Float32Array | Uint8Array,
  memory: WebAssembly.Memory,
  address: number,
  length: number,
): boolean {
  return view.buffer === memory.buffer && view.byteOffset === address && view.length === length;
}

/** Rejections are errors whose message is JSON; all others are failures and propagate. */
function orRejection<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    const problems = problemsIn(error instanceof Error ? error.message : String(error));
    throw problems === null ? error : new Rejection(problems);
  }
}

function problemsIn(message: string): FieldError[] | null {
  try {
    const error = JSON.parse(message) as { problems?: FieldError[] } | null;
    return Array.isArray(error?.problems) ? error.problems : null;
  } catch {
    return null;
  }
}
