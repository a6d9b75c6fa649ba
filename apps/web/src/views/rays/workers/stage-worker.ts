/** Worker entry point of the rays stage. */

import type { ToStage } from './protocol.ts';
import { Stage } from '../stage/stage.ts';

const scope = self as unknown as DedicatedWorkerGlobalScope;

const stage = new Stage((reply) => scope.postMessage(reply));
scope.addEventListener('message', (event: MessageEvent<ToStage>) => stage.receive(event.data));
