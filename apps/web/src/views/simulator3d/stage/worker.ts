/** Where the stage lives when it has a thread of its own. */

import type { ToWorker } from '../protocol.ts';
import { loadEngine } from './engine.ts';
import { Stage } from './stage.ts';

const scope = self as unknown as DedicatedWorkerGlobalScope;

const stage = new Stage((said) => scope.postMessage(said), loadEngine);
scope.addEventListener('message', (event: MessageEvent<ToWorker>) => stage.receive(event.data));
