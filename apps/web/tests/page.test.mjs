/**
 * The page in a real browser, served by the program.
 *
 * One file for the runner, so that all share one browser and none measures beside another; each of those
 * below runs alone too: `EMBATE_BIN=… node --test tests/2d/form.mjs`.
 */

import './2d/opening.mjs';
import './2d/form.mjs';
import './2d/stage.mjs';
import './2d/side.mjs';
import './2d/experiments.mjs';
import './2d/downloads.mjs';
import './2d/counts.mjs';
import './2d/links.mjs';
import './2d/conversation.mjs';
import './2d/keyboard.mjs';
import './2d/languages.mjs';
import './2d/accessibility.mjs';
import './2d/sound.mjs';
import './2d/trouble.mjs';
import './2d/first-load.mjs';
import './2d/static-folder.mjs';
import './2d/speed.mjs';
