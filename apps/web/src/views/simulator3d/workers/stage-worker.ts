import { serveWorker } from '../../../shared/stage/worker-entry.ts';
import { loadEngine } from './engine.ts';
import { Stage } from '../stage/stage.ts';

serveWorker((post) => new Stage(post, loadEngine));
