/** Which studies are open? Those that were asked for last. */
import type { Request } from '../protocol.ts';

/** An engine that opens studies. */
export interface Opens<Study> {
  open(study: string, asked: string): Study;
  /** The words of a panic, after it; empty if there was none. */
  lastPanic(): string;
}

/** The one that is chosen, and the one whose rows are shown. */
const MOST_OPEN = 2;

export class Opened<Study extends { free(): void }> {
  readonly #engine: Opens<Study>;
  /** By what was asked; the one that was asked for last comes last. */
  readonly #open = new Map<string, Study>();

  constructor(engine: Opens<Study>) {
    this.#engine = engine;
  }

  get(request: Request): Study {
    const name = JSON.stringify(request);
    const study = this.#open.get(name) ?? this.#engine.open(request.study, request.asked);
    this.#open.delete(name);
    this.#open.set(name, study);
    for (const [other, oldest] of this.#open) {
      if (this.#open.size <= MOST_OPEN) break;
      this.#open.delete(other);
      oldest.free();
    }
    return study;
  }
}
