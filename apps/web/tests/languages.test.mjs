/**
 * Browser tests: languages, accessibility and loading.
 *
 * One file per test process, so that its tests share a browser; the groups run in parallel and take
 * about equally long. Each imported file also runs alone: `EMBATE_BIN=… node --test
 * tests/2d/form.mjs`.
 */

import './2d/languages.mjs';
import './2d/accessibility.mjs';
import './2d/first-load.mjs';
import './3d/first-load.mjs';
import './2d/static-folder.mjs';
import './shell/keys.mjs';
import './shell/navigation.mjs';
import './shell/pictures.mjs';
