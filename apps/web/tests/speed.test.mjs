/**
 * Browser tests: response times.
 *
 * One file per test process, so that its tests share a browser; it runs alone, because it measures.
 * Each imported file also runs alone: `EMBATE_BIN=… node --test tests/2d/form.mjs`.
 */

import './2d/speed.mjs';
import './3d/speed.mjs';
import './rays/speed.mjs';
