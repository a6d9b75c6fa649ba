/**
 * The page in a real browser, served by the program: meshes are opened, rays followed, structures compared.
 *
 * One file for the runner, so that all of it shares one browser; others run beside it, and none is so long that it ends alone.
 * Each of those below runs alone too: `EMBATE_BIN=… node --test tests/2d/form.mjs`.
 */

import './rays/opening.mjs';
import './rays/casting.mjs';
