/**
 * Browser tests: experiments of the 2D view and their export.
 *
 * One file per test process, so that its tests share a browser; the groups run in parallel and take
 * about equally long. Each imported file also runs alone: `EMBATE_BIN=… node --test
 * tests/2d/form.mjs`.
 */

import './2d/capacity.mjs';
import './2d/experiments.mjs';
import './2d/downloads.mjs';
import './2d/counts.mjs';
