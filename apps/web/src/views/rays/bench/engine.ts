/** What does the engine offer to the bench, and how does it get here? */

// Both are made by `cargo xtask web`.
import init, { Bench, catalogue, heatScale, heatShade, lastPanic } from '../../../generated/rays/embate_web_rays.js';
import address from '../../../generated/rays/embate_web_rays_bg.wasm?url';

export type { Bench };

export interface Engine {
  catalogue(): string;
  /** The words of a panic, after it; empty if there was none. */
  lastPanic(): string;
  /** Fetches the reader of files, too, if it is not there yet. */
  open(bytes: Uint8Array, name: string): Promise<Bench>;
  scene(name: string, count: number, seed: number): Bench;
  heatScale(steps: number): Uint8Array;
  heatShade(heat: number, most: number): number;
}

/** Fetches and starts the engine. Its address is relative to the script, wherever that is served. */
export async function loadEngine(): Promise<Engine> {
  await init({ module_or_path: address });
  return {
    catalogue,
    lastPanic,
    heatScale,
    heatShade,
    open: async (bytes, name) => {
      const { readMesh } = await import('./reader.ts');
      const { positions, triangles, format, fileBytes } = await readMesh(bytes, name);
      return Bench.open(positions, triangles, name, format, fileBytes);
    },
    scene: (name, count, seed) => Bench.scene(name, count, seed),
  };
}
