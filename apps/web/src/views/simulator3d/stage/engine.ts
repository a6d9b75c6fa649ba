/** What does the engine offer to the stage, and how does it get here? */

// All three are made by `cargo xtask web`; simulator3d/first.mjs says what is in which part.
import init, { Simulator, catalogue, giveRest, lastPanic, preset } from '../../../generated/simulator3d/embate_web_simulator3d.js';
import address from '../../../generated/simulator3d/embate_web_simulator3d_bg.wasm?url';
import restAddress from '../../../generated/simulator3d/embate_web_simulator3d_rest.wasm?url';
import { restFrom } from '../../../shared/stage/rest.ts';

export type { Simulator };

export interface Engine {
  catalogue(): string;
  /** The words of a panic, after it; empty if there was none. */
  lastPanic(): string;
  preset(name: string, seed: number): string | undefined;
  open(text: string, name: string): Simulator;
}

/** Fetches and starts the engine. Its addresses are relative to the script, wherever that is served. */
export async function loadEngine(): Promise<Engine> {
  giveRest(await restFrom(restAddress));
  await init({ module_or_path: address });
  return { catalogue, lastPanic, preset, open: (text, name) => new Simulator(text, name) };
}
