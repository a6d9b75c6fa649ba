/** What tells of the rows of a study, and how does it get here? */

// Both are made by `cargo xtask web`.
import init, { lastPanic, Study } from '../../../generated/study-told/embate_web_study_told.js';
import address from '../../../generated/study-told/embate_web_study_told_bg.wasm?url';
import type { Opens } from './opened.ts';

export type Tells = Study;

/** Its address is relative to the script, wherever that is served. */
export async function loadTells(): Promise<Opens<Study>> {
  await init({ module_or_path: address });
  return { open: (study, asked) => new Study(study, asked), lastPanic };
}
