/** How is this stage begun, beside the page or on its own thread? */

import type { Begins } from '../../../shared/stage/runners.ts';
import type { FromWorker, ToWorker } from '../protocol.ts';

/** A stage also says which question it has heard, which is the host's business alone. */
export type Said = FromWorker | { kind: 'heard'; ask: number };

export const BEGINS: Begins<ToWorker, Said> = {
  worker: () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }),
  here: async () => {
    const [{ Stage }, { loadEngine }] = await Promise.all([import('./stage.ts'), import('./engine.ts')]);
    return (say) => new Stage(say, loadEngine);
  },
};
