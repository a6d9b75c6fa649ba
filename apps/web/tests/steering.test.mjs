/**
 * The page in a real browser, served by the program: how it is driven, and what happens when something breaks.
 *
 * One file for the runner, so that all of it shares one browser; others run beside it, and none is so long that it ends alone.
 * Each of those below runs alone too: `EMBATE_BIN=… node --test tests/2d/form.mjs`.
 */

import './2d/conversation.mjs';
import './2d/keyboard.mjs';
import './2d/links.mjs';
import './2d/sound.mjs';
import './2d/trouble.mjs';
