/** Worker entry point of the ray inspector. */

import type { ToInspector } from './protocol.ts';
import { Inspector } from './inspector.ts';
import { loadEngine } from './engine.ts';

const scope = self as unknown as DedicatedWorkerGlobalScope;

const inspector = new Inspector((reply) => scope.postMessage(reply), loadEngine);
scope.addEventListener('message', (event: MessageEvent<ToInspector>) => inspector.receive(event.data));
