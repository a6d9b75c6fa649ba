/** Starts the 2D stage in a worker or on the main thread. */

import type { StageLauncher } from '../../../shared/stage/worker-or-main-thread.ts';
import type { FromWorker, ToWorker } from './protocol.ts';

/** `acknowledged` confirms a request; it is for the proxy only. */
export type From = FromWorker | { kind: 'acknowledged'; requestId: number };

export const LAUNCHER: StageLauncher<ToWorker, From> = {
  worker: () => new Worker(new URL('./stage-worker.ts', import.meta.url), { type: 'module' }),
  here: async () => {
    const [{ Stage }, { loadEngine }] = await Promise.all([import('../stage/stage.ts'), import('./engine.ts')]);
    return (post) => new Stage(post, loadEngine);
  },
};
