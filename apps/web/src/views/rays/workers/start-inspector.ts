/** Starts the ray inspector in a worker or on the main thread. */

import type { StageLauncher } from '../../../shared/stage/worker-or-main-thread.ts';
import type { FromInspector, ToInspector } from './protocol.ts';

export const LAUNCHER: StageLauncher<ToInspector, FromInspector> = {
  worker: () => new Worker(new URL('./inspector-worker.ts', import.meta.url), { type: 'module' }),
  here: async () => {
    const [{ Inspector }, { loadEngine }] = await Promise.all([import('./inspector.ts'), import('./engine.ts')]);
    return (post) => new Inspector(post, loadEngine);
  },
};
