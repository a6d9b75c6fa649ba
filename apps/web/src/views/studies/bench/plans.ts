/** What lists the studies, and how does it get here? */

// Both are made by `cargo xtask web`.
import init, { catalogue, lastPanic, plan } from '../../../generated/studies/embate_web_studies.js';
import address from '../../../generated/studies/embate_web_studies_bg.wasm?url';

export interface Plans {
  catalogue(): string;
  plan(study: string, asked: string): string;
  /** The words of a panic, after it; empty if there was none. */
  lastPanic(): string;
}

/** Its address is relative to the script, wherever that is served. */
export async function loadPlans(): Promise<Plans> {
  await init({ module_or_path: address });
  return { catalogue, plan, lastPanic };
}
