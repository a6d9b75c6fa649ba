/** What writes the report of a study, and how does it get here? */

// Both are made by `cargo xtask web`.
import init, { lastPanic, Study } from '../../../generated/study-report/embate_web_study_report.js';
import address from '../../../generated/study-report/embate_web_study_report_bg.wasm?url';
import type { Opens } from './opened.ts';

export type Writes = Study;

/** Its address is relative to the script, wherever that is served. */
export async function loadWrites(): Promise<Opens<Study>> {
  await init({ module_or_path: address });
  return { open: (study, asked) => new Study(study, asked), lastPanic };
}
