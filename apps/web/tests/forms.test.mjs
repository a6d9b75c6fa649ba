/**
 * The page in a real browser, served by the program: what a scene is made of, and how it is looked into.
 *
 * One file for the runner, so that all of it shares one browser; others run beside it, and none is so long that it ends alone.
 * Each of those below runs alone too: `EMBATE_BIN=… node --test tests/2d/form.mjs`.
 */

import './2d/form.mjs';
import './2d/stage.mjs';
import './2d/opening.mjs';
import './2d/side.mjs';
