/**
 * Browser tests: comparison, presets, languages and own scenes of the 3D view.
 *
 * One file per test process, so that its tests share a browser; the groups run in parallel and take
 * about equally long. Each imported file also runs alone: `EMBATE_BIN=… node --test
 * tests/2d/form.mjs`.
 */

import './3d/comparison.mjs';
import './3d/presets.mjs';
import './3d/languages.mjs';
import './3d/own-scenes.mjs';
