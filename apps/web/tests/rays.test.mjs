/**
 * Browser tests: meshes are opened, rays traced, structures compared.
 *
 * One file per test process, so that its tests share a browser; the groups run in parallel and take
 * about equally long. Each imported file also runs alone: `EMBATE_BIN=… node --test
 * tests/2d/form.mjs`.
 */

import './rays/opening.mjs';
import './rays/casting.mjs';
import './rays/scene-files.mjs';
