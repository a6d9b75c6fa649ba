/**
 * The page in a real browser, served by the program: how fast it answers.
 *
 * One file for the runner, so that all of it shares one browser; nothing runs beside it, since it measures.
 * Each of those below runs alone too: `EMBATE_BIN=… node --test tests/2d/form.mjs`.
 */

import './2d/speed.mjs';
import './3d/speed.mjs';
import './rays/speed.mjs';
