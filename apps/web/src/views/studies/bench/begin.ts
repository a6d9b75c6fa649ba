/** How are desk and benches set up? */
import { type Failed, type Runner, runInWorker } from '../../../shared/stage/runners.ts';
import type { FromBench, FromDesk, ToBench, ToDesk } from '../protocol.ts';

/** Hears `failed` where there are no workers, too: studies need them. */
export type SetUp<To, Said> = (hear: (said: Said | Failed) => void) => Runner<To>;

export const setUpDesk: SetUp<ToDesk, FromDesk> = (hear) =>
  runInWorker(() => new Worker(new URL('./desk-worker.ts', import.meta.url), { type: 'module' }), hear, () => unable(hear));

export const setUpBench: SetUp<ToBench, FromBench> = (hear) =>
  runInWorker(() => new Worker(new URL('./bench-worker.ts', import.meta.url), { type: 'module' }), hear, () => unable(hear));

function unable(hear: (said: Failed) => void): void {
  hear({ kind: 'failed', message: 'this browser starts no workers' });
}
