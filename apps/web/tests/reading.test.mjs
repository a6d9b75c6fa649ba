/**
 * The page in a real browser, served by the program: what is read, by whom, and how it comes there.
 *
 * One file for the runner, so that all of it shares one browser; others run beside it, and none is so long that it ends alone.
 * Each of those below runs alone too: `EMBATE_BIN=… node --test tests/2d/form.mjs`.
 */

import './2d/languages.mjs';
import './2d/accessibility.mjs';
import './2d/first-load.mjs';
import './3d/first-load.mjs';
import './2d/static-folder.mjs';
