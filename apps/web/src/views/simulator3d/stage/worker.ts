import { liveInWorker } from '../../../shared/stage/in-worker.ts';
import { loadEngine } from './engine.ts';
import { Stage } from './stage.ts';

liveInWorker((say) => new Stage(say, loadEngine));
