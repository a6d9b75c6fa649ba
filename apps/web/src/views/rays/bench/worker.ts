/** Where the bench lives when it has a thread of its own. */

import type { ToBench } from '../protocol.ts';
import { Desk } from './desk.ts';
import { loadEngine } from './engine.ts';

const scope = self as unknown as DedicatedWorkerGlobalScope;

const desk = new Desk((said) => scope.postMessage(said), loadEngine);
scope.addEventListener('message', (event: MessageEvent<ToBench>) => desk.receive(event.data));
