/**
 * Browser tests: 3D worlds are built, run and saved.
 *
 * One file per test process, so that its tests share a browser; the groups run in parallel and take
 * about equally long. Each imported file also runs alone: `EMBATE_BIN=… node --test
 * tests/2d/form.mjs`.
 */

import './3d/building.mjs';
import './3d/objects-table.mjs';
import './3d/time.mjs';
import './3d/files.mjs';
import './3d/forms.mjs';
