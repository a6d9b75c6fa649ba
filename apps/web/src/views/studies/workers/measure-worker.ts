/** Worker entry point of a measuring worker. */

import type { ToMeasureWorker } from './protocol.ts';
import { CaseRunner } from './case-runner.ts';
import { loadEngine } from './engine.ts';

const scope = self as unknown as DedicatedWorkerGlobalScope;

const worker = new CaseRunner((reply) => scope.postMessage(reply), loadEngine);
scope.addEventListener('message', (event: MessageEvent<ToMeasureWorker>) => worker.receive(event.data));
