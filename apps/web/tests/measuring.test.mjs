/**
 * The page in a real browser, served by the program: what is measured, and taken away.
 *
 * One file for the runner, so that all of it shares one browser; others run beside it, and none is so long that it ends alone.
 * Each of those below runs alone too: `EMBATE_BIN=… node --test tests/2d/form.mjs`.
 */

import './2d/experiments.mjs';
import './2d/downloads.mjs';
import './2d/counts.mjs';
