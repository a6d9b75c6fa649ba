/** Where a bench stands: on a thread of its own. */

import type { ToBench } from '../protocol.ts';
import { Bench } from './bench.ts';
import { loadMeasures } from './measures.ts';

const scope = self as unknown as DedicatedWorkerGlobalScope;

const bench = new Bench((said) => scope.postMessage(said), loadMeasures);
scope.addEventListener('message', (event: MessageEvent<ToBench>) => bench.receive(event.data));
