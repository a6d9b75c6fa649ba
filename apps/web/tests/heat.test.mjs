/**
 * Browser tests: heat maps, and accessibility of the rays view.
 *
 * One file per test process, so that its tests share a browser; the groups run in parallel and take
 * about equally long. Each imported file also runs alone: `EMBATE_BIN=… node --test
 * tests/2d/form.mjs`.
 */

import './rays/heat.mjs';
import './rays/accessibility.mjs';
