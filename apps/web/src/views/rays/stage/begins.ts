/** How is this stage begun, beside the page or on its own thread? */

import type { Begins } from '../../../shared/stage/runners.ts';
import type { FromStage, ToStage } from '../protocol.ts';

export const BEGINS: Begins<ToStage, FromStage> = {
  worker: () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }),
  here: async () => {
    const { Stage } = await import('./stage.ts');
    return (say) => new Stage(say);
  },
};
