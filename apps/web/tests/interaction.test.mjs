/**
 * Browser tests: interaction and failures of the 2D view.
 *
 * One file per test process, so that its tests share a browser; the groups run in parallel and take
 * about equally long. Each imported file also runs alone: `EMBATE_BIN=… node --test
 * tests/2d/form.mjs`.
 */

import './2d/requests.mjs';
import './2d/keyboard.mjs';
import './2d/links.mjs';
import './2d/sound.mjs';
import './2d/failures.mjs';
