/**
 * What does the engine know about the world at this frame?
 *
 * A typed face of the wasm `Run`. Promise: what the views here return shows the memory as it is
 * now, even if it has grown; a view must not be kept over the next call into the engine.
 */

import type { Advice, Parameters, Problem, Selection } from '../protocol.ts';
import type { Engine, EngineRun } from './engine.ts';

/** Bits of an object's flags. */
export const TOUCHING = 1;
export const MISSED = 2;

/** Everything about one object, cells as minX, minY, maxX, maxY. */
export interface Inspection extends Omit<Selection, 'cells' | 'kept'> {
  cells: [number, number, number, number][];
}

/** The engine does not take these parameters. */
export class Refusal extends Error {
  readonly problems: Problem[];

  constructor(problems: Problem[]) {
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

  /** Throws a [`Refusal`], or whatever the engine died of. */
  constructor(engine: Engine, parameters: Parameters) {
    this.#run = orRefusal(() => new engine.Run(JSON.stringify(parameters)));
    this.#memory = engine.memory;
    this.parameters = parameters;
  }

  has(object: number): boolean {
    return object < this.#run.objects;
  }

  /** Moves on to a frame and looks at it; those between are not searched. */
  goTo(frame: number): void {
    if (frame <= this.#run.frame) return;
    while (this.#run.frame < frame) this.#run.advance();
    this.#run.detect();
    this.#run.settle();
  }

  /** Moves everything by 1/60 s. */
  advance(): void {
    this.#run.advance();
  }

  /** Finds the pairs that overlap. This alone is the collision phase, and takes this many ms. */
  detect(): number {
    const before = performance.now();
    this.#run.detect();
    return performance.now() - before;
  }

  /** Counts what the detection did, and marks who touches. */
  settle(): void {
    this.#run.settle();
  }

  /** The world goes on as it is. Throws as the constructor does, and then nothing has changed. */
  change(technique: string, cellSize: number): void {
    orRefusal(() => this.#run.change(technique, cellSize));
    this.parameters = { ...this.parameters, technique, cellSize };
  }

  /** Searches once more, and notes the cells that it looks into. */
  look(): void {
    this.#run.look();
  }

  /** What the search does with one object, told by searching once more; none if there is none. */
  inspect(object: number): Inspection | null {
    return JSON.parse(this.#run.inspect(object)) as Inspection | null;
  }

  /** The object at a point of the world, or the nearest within `reach`. */
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

  /** Four numbers an object: x and y of the least corner, width, height. */
  get objects(): Float32Array {
    const address = this.#run.objectsPointer();
    if (!shows(this.#objects, this.#memory, address, this.#run.objectsLength)) {
      this.#objects = new Float32Array(this.#memory.buffer, address, this.#run.objectsLength);
    }
    return this.#objects;
  }

  /** One byte an object, of `TOUCHING` and `MISSED`. */
  get flags(): Uint8Array {
    const address = this.#run.flagsPointer();
    if (!shows(this.#flags, this.#memory, address, this.#run.objects)) {
      this.#flags = new Uint8Array(this.#memory.buffer, address, this.#run.objects);
    }
    return this.#flags;
  }

  /** Those of the last look, four numbers a cell: minX, minY, maxX, maxY. */
  get cells(): Float32Array {
    return new Float32Array(this.#memory.buffer, this.#run.cellsPointer(), this.#run.cellsLength);
  }

  /** Four numbers a pair that began to touch in this frame, or a wall: x, size, impulse, 1 for a wall. */
  get strikes(): Float32Array {
    return new Float32Array(this.#memory.buffer, this.#run.strikesPointer(), this.#run.strikesLength);
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
  | 'isJudged'
  | 'touching'
  | 'bytes'
  | 'sumTests'
  | 'sumPairs'
  | 'sumMissed'
  | 'sumPlaces';

function shows(
  view: Float32Array | Uint8Array,
  memory: WebAssembly.Memory,
  address: number,
  length: number,
): boolean {
  return view.buffer === memory.buffer && view.byteOffset === address && view.length === length;
}

/** The shell refuses by an error whose message is JSON; anything else is a fault, and goes on. */
function orRefusal<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    const problems = problemsIn(error instanceof Error ? error.message : String(error));
    throw problems === null ? error : new Refusal(problems);
  }
}

function problemsIn(message: string): Problem[] | null {
  try {
    const said = JSON.parse(message) as { problems?: Problem[] } | null;
    return Array.isArray(said?.problems) ? said.problems : null;
  } catch {
    return null;
  }
}
