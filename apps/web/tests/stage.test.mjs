/**
 * Browser tests: the 2D form, stage and panels.
 *
 * One file per test process, so that its tests share a browser; the groups run in parallel and take
 * about equally long. Each imported file also runs alone: `EMBATE_BIN=… node --test
 * tests/2d/form.mjs`.
 */

import './2d/form.mjs';
import './2d/stage.mjs';
import './2d/opening.mjs';
import './2d/side-panels.mjs';
