/** Starts coordinator and measuring workers. */
import { type Failed, type Runner, runInWorker } from '../../../shared/stage/worker-or-main-thread.ts';
import type { FromMeasureWorker, FromCoordinator, ToMeasureWorker, ToCoordinator } from './protocol.ts';

/** Receives `failed` also if workers are not supported: studies require them. */
export type StartWorker<To, From> = (receive: (reply: From | Failed) => void) => Runner<To>;

export const startCoordinator: StartWorker<ToCoordinator, FromCoordinator> = (receive) =>
  runInWorker(() => new Worker(new URL('./coordinator-worker.ts', import.meta.url), { type: 'module' }), receive, () => onLoadFailure(receive));

export const startMeasureWorker: StartWorker<ToMeasureWorker, FromMeasureWorker> = (receive) =>
  runInWorker(() => new Worker(new URL('./measure-worker.ts', import.meta.url), { type: 'module' }), receive, () => onLoadFailure(receive));

function onLoadFailure(receive: (reply: Failed) => void): void {
  receive({ kind: 'failed', message: 'this browser starts no workers' });
}
