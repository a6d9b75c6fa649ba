/** Starts the rays stage in a worker or on the main thread. */

import type { StageLauncher } from '../../../shared/stage/worker-or-main-thread.ts';
import type { FromStage, ToStage } from './protocol.ts';

export const LAUNCHER: StageLauncher<ToStage, FromStage> = {
  worker: () => new Worker(new URL('./stage-worker.ts', import.meta.url), { type: 'module' }),
  here: async () => {
    const { Stage } = await import('../stage/stage.ts');
    return (post) => new Stage(post);
  },
};
