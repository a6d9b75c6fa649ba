/**
 * What does the engine offer to the stage, and how does it get here?
 *
 * The types mirror what the wasm shell exports; TypeScript checks the generated module against them.
 */

// Both are made by `cargo xtask web`.
import init, { Run, catalogue, lastPanic } from '../../../generated/broad2d/embate_web_broad2d.js';
import address from '../../../generated/broad2d/embate_web_broad2d_bg.wasm?url';

/** A world in motion, as the wasm shell exports it. Pointers are addresses in its memory. */
export interface EngineRun {
  advance(): void;
  detect(): void;
  settle(): void;
  look(): void;
  change(technique: string, cellSize: number): void;
  inspect(object: number): string;
  objectAt(x: number, y: number, reach: number): number;
  advice(): string;
  free(): void;

  readonly frame: number;
  readonly objects: number;
  readonly tests: number;
  readonly pairs: number;
  readonly missed: number;
  readonly isJudged: boolean;
  readonly touching: number;
  readonly bytes: number;
  readonly sumTests: number;
  readonly sumPairs: number;
  readonly sumMissed: number;
  readonly sumPlaces: number;

  objectsPointer(): number;
  readonly objectsLength: number;
  flagsPointer(): number;
  cellsPointer(): number;
  readonly cellsLength: number;
  strikesPointer(): number;
  readonly strikesLength: number;
}

export interface Engine {
  catalogue(): string;
  /** The words of a panic, after it; empty if there was none. */
  lastPanic(): string;
  Run: new (parametersJson: string) => EngineRun;
  memory: WebAssembly.Memory;
}

/** Fetches and starts the engine. Its address is relative to the script, wherever that is served. */
export async function loadEngine(): Promise<Engine> {
  const { memory } = await init({ module_or_path: address });
  return { catalogue, lastPanic, Run, memory };
}
