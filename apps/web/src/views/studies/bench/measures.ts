/** What measures the cases of a study, and how does it get here? */

// Both are made by `cargo xtask web`.
import init, { lastPanic, Study } from '../../../generated/study-bench/embate_web_study_bench.js';
import address from '../../../generated/study-bench/embate_web_study_bench_bg.wasm?url';
import type { Opens } from './opened.ts';

export type Measures = Study;

/** Its address is relative to the script, wherever that is served. */
export async function loadMeasures(): Promise<Opens<Study>> {
  await init({ module_or_path: address });
  return { open: (study, asked) => new Study(study, asked), lastPanic };
}
