/** Where the desk stands: on a thread of its own. */

import type { ToDesk } from '../protocol.ts';
import { Desk } from './desk.ts';
import { loadPlans } from './plans.ts';
import { loadTells } from './tells.ts';
import { loadWrites } from './writes.ts';

const scope = self as unknown as DedicatedWorkerGlobalScope;

const desk = new Desk((said) => scope.postMessage(said), { plans: loadPlans, tells: loadTells, writes: loadWrites });
scope.addEventListener('message', (event: MessageEvent<ToDesk>) => desk.receive(event.data));
