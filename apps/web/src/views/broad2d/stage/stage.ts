/**
 * What does the stage do with what the page says?
 *
 * The same class runs on a worker or on the page's own thread.
 */

import type { Catalogue, FromWorker, ToWorker } from '../protocol.ts';
import type { Engine } from './engine.ts';

export class Stage {
  readonly #say: (said: FromWorker) => void;
  /** What came before the engine did. */
  readonly #waiting: ToWorker[] = [];

  constructor(say: (said: FromWorker) => void, load: () => Promise<Engine>) {
    this.#say = say;
    load().then(
      (engine) => say({ kind: 'ready', catalogue: JSON.parse(engine.catalogue()) as Catalogue }),
      (error: unknown) => this.#say({ kind: 'failed', message: String(error) }),
    );
  }

  receive(message: ToWorker): void {
    this.#waiting.push(message);
  }

  close(): void {
    this.#waiting.length = 0;
  }
}
