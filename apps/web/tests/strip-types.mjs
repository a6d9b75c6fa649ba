/**
 * Lets Node run our TypeScript: `node --import ./tests/strip-types.mjs --test …`. Node strips types
 * by itself from 22.18 on; the page supports 20.19.
 */

import { register } from 'node:module';

register('./strip-types-hook.mjs', import.meta.url);
