/**
 * The page in a real browser, served by the program: what is seen of a world, and told of it.
 *
 * One file for the runner, so that all of it shares one browser; others run beside it, and none is so long that it ends alone.
 * Each of those below runs alone too: `EMBATE_BIN=… node --test tests/2d/form.mjs`.
 */

import './3d/looks.mjs';
import './3d/links.mjs';
import './3d/accessibility.mjs';
import './3d/side.mjs';
