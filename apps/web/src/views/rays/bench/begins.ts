/** How is the bench begun, beside the page or on its own thread? */

import type { Begins } from '../../../shared/stage/runners.ts';
import type { FromBench, ToBench } from '../protocol.ts';

export const BEGINS: Begins<ToBench, FromBench> = {
  worker: () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }),
  here: async () => {
    const [{ Desk }, { loadEngine }] = await Promise.all([import('./desk.ts'), import('./engine.ts')]);
    return (say) => new Desk(say, loadEngine);
  },
};
