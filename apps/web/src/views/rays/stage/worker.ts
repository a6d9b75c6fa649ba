/** Where the stage lives when it has a thread of its own. */

import type { ToStage } from '../protocol.ts';
import { Stage } from './stage.ts';

const scope = self as unknown as DedicatedWorkerGlobalScope;

const stage = new Stage((said) => scope.postMessage(said));
scope.addEventListener('message', (event: MessageEvent<ToStage>) => stage.receive(event.data));
