/**
 * The page in a real browser, served by the program: the studies, run in workers.
 *
 * One file for the runner, so that all of it shares one browser; others run beside it, and none is so long that it ends alone.
 * Each of those below runs alone too: `EMBATE_BIN=… node --test tests/studies/use.mjs`.
 */

import './studies/counts.mjs';
import './studies/running.mjs';
import './studies/use.mjs';
