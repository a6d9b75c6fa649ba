/** What does the engine offer to the stage, and how does it get here? */

// Both are made by `cargo xtask web`.
import init, { Simulator, catalogue, lastPanic, preset } from '../../../generated/simulator3d/embate_web_simulator3d.js';
import address from '../../../generated/simulator3d/embate_web_simulator3d_bg.wasm?url';

export type { Simulator };

export interface Engine {
  catalogue(): string;
  /** The words of a panic, after it; empty if there was none. */
  lastPanic(): string;
  preset(name: string, seed: number): string | undefined;
  open(text: string, name: string): Simulator;
}

/** Fetches and starts the engine. Its address is relative to the script, wherever that is served. */
export async function loadEngine(): Promise<Engine> {
  await init({ module_or_path: address });
  return { catalogue, lastPanic, preset, open: (text, name) => new Simulator(text, name) };
}
