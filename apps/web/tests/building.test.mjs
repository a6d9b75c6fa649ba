/**
 * The page in a real browser, served by the program: worlds are built, run and kept.
 *
 * One file for the runner, so that all of it shares one browser; others run beside it, and none is so long that it ends alone.
 * Each of those below runs alone too: `EMBATE_BIN=… node --test tests/2d/form.mjs`.
 */

import './3d/building.mjs';
import './3d/time.mjs';
import './3d/files.mjs';
import './3d/forms.mjs';
