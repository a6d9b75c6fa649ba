/**
 * What does the engine offer to the stage, and how does it get here?
 *
 * The types mirror what the wasm shell exports; TypeScript checks the generated module against them.
 */

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
  readonly touching: number;
  readonly bytes: number;
  readonly sumTests: number;
  readonly sumPairs: number;
  readonly sumMissed: number;

  objectsPointer(): number;
  readonly objectsLength: number;
  flagsPointer(): number;
  cellsPointer(): number;
  readonly cellsLength: number;
  begunPointer(): number;
  readonly begunLength: number;
}

export interface Engine {
  catalogue(): string;
  Run: new (parametersJson: string) => EngineRun;
  memory: WebAssembly.Memory;
}

interface Generated extends Omit<Engine, 'memory'> {
  default(): Promise<{ memory: WebAssembly.Memory }>;
}

/** Fetches and starts the engine. Its address is relative to this file, wherever the page is served. */
export async function loadEngine(): Promise<Engine> {
  const made = import.meta.glob<Generated>('../../../generated/broad2d/embate_web_broad2d.js');
  const load = Object.values(made)[0];
  if (load === undefined) {
    throw new Error('the engine is not part of this build; `cargo xtask web` makes it');
  }
  const module = await load();
  const { memory } = await module.default();
  return { catalogue: module.catalogue, Run: module.Run, memory };
}
