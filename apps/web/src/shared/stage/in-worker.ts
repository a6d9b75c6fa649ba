/** Where a stage lives when it has a thread of its own. */
import type { Stands } from './runners.ts';

/** Begins it here, in a worker, and lets it talk with the page. */
export function liveInWorker<To, Said>(begin: (say: (said: Said) => void) => Stands<To>): void {
  const scope = self as unknown as DedicatedWorkerGlobalScope;
  const stage = begin((said) => scope.postMessage(said));
  scope.addEventListener('message', (event: MessageEvent<To>) => stage.receive(event.data));
}
