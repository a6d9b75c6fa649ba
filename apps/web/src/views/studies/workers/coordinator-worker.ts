/** Worker entry point of the coordinator. */

import type { ToCoordinator } from './protocol.ts';
import { Coordinator } from './coordinator.ts';
import { loadEngine } from './engine.ts';

const scope = self as unknown as DedicatedWorkerGlobalScope;

const coordinator = new Coordinator((reply) => scope.postMessage(reply), loadEngine);
scope.addEventListener('message', (event: MessageEvent<ToCoordinator>) => coordinator.receive(event.data));
