/**
 * The page in a real browser, served by the program: worlds that are there to begin with.
 *
 * One file for the runner, so that all of it shares one browser; others run beside it, and none is so long that it ends alone.
 * Each of those below runs alone too: `EMBATE_BIN=… node --test tests/2d/form.mjs`.
 */

import './3d/presets.mjs';
import './3d/languages.mjs';
