/**
 * Browser tests: studies, run in workers.
 *
 * One file per test process, so that its tests share a browser; the groups run in parallel and take
 * about equally long. Each imported file also runs alone: `EMBATE_BIN=… node --test
 * tests/studies/use.mjs`.
 */

import './studies/counts.mjs';
import './studies/keeping.mjs';
import './studies/running.mjs';
import './studies/use.mjs';
