/** Worker side of a stage that has a thread of its own. */
import type { MainThreadStage } from './worker-or-main-thread.ts';

/** Starts the stage in this worker and connects it to the page. */
export function serveWorker<To, From>(begin: (post: (reply: From) => void) => MainThreadStage<To>): void {
  const scope = self as unknown as DedicatedWorkerGlobalScope;
  const stage = begin((reply) => scope.postMessage(reply));
  scope.addEventListener('message', (event: MessageEvent<To>) => stage.receive(event.data));
}
