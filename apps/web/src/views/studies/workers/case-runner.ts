/**
 * Measures one case at a time, in a worker.
 *
 * The worker processes no messages while it measures; to stop it, terminate it.
 */
import { EngineLifecycle } from '../../../shared/stage/engine-lifecycle.ts';
import type { FromMeasureWorker, Request, ToMeasureWorker } from './protocol.ts';
import type { Engine } from './engine.ts';
import { OpenStudies } from './open-studies.ts';

/** Minimum interval of progress messages, which take time from the measurement. */
const NEWS_MS = 100;

export class CaseRunner {
  readonly #post: (reply: FromMeasureWorker) => void;
  readonly #lifecycle: EngineLifecycle<Engine, ToMeasureWorker>;
  #opened: OpenStudies | null = null;

  constructor(post: (reply: FromMeasureWorker) => void, load: () => Promise<Engine>) {
    this.#post = post;
    this.#lifecycle = new EngineLifecycle(load, {
      begin: (engine) => (this.#opened = new OpenStudies(engine)),
      act: ({ request, case: number }) => this.#measure(request, number),
      ended: () => undefined,
      failed: (message) => post({ kind: 'failed', message }),
    });
  }

  receive(message: ToMeasureWorker): void {
    this.#lifecycle.receive(message);
  }

  #measure(request: Request, number: number): void {
    let work = 0;
    let nextAt = 0;
    const advanced = (more: number): void => {
      work += more;
      const now = performance.now();
      if (now >= nextAt) {
        nextAt = now + NEWS_MS;
        this.#post({ kind: 'advanced', case: number, work });
      }
    };
    const rows = this.#opened?.get(request).measure(number, { advanced });
    if (rows !== undefined) this.#post({ kind: 'measured', case: number, rows });
  }
}
