/** How is this stage begun, beside the page or on its own thread? */

import type { Begins } from '../../../shared/stage/runners.ts';
import type { FromWorker, ToWorker } from '../protocol.ts';

export const BEGINS: Begins<ToWorker, FromWorker> = {
  worker: () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }),
  here: async () => {
    const [{ Stage }, { loadEngine }] = await Promise.all([import('./stage.ts'), import('./engine.ts')]);
    return (say) => new Stage(say, loadEngine);
  },
};
