/** Cache of open studies: the most recently used. */
import type { Engine, Study } from './engine.ts';
import type { Request } from './protocol.ts';

/** The chosen study, and the one whose rows are shown. */
const MAX_OPEN = 2;

export class OpenStudies {
  readonly #engine: Pick<Engine, 'open'>;
  /** By request, in order of last use. */
  readonly #open = new Map<string, Study>();

  constructor(engine: Pick<Engine, 'open'>) {
    this.#engine = engine;
  }

  get(request: Request): Study {
    const name = JSON.stringify(request);
    const study = this.#open.get(name) ?? this.#engine.open(request.study, request.options);
    this.#open.delete(name);
    this.#open.set(name, study);
    for (const [other, oldest] of this.#open) {
      if (this.#open.size <= MAX_OPEN) break;
      this.#open.delete(other);
      oldest.free();
    }
    return study;
  }
}
