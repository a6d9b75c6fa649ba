/**
 * What was asked of the worker, and by whom?
 *
 * Every question has a number, and its answer names it. One that nobody can answer any more is answered with nothing.
 */
import type { Answered } from '../../shared/entry.ts';
import type { Source, Whereabouts } from './protocol.ts';
import { words3d } from './words.ts';

/** Where a refusal is shown. */
export type Asker = 'file' | 'rules' | 'body' | 'objects';

/** What is kept, as the worker has it now; `null` if it died over it. */
export type Kept = { text: string; whereabouts: Whereabouts } | null;

export interface Question {
  by: Asker;
  source?: Source;
  /** It is shown in place of what was refused, which is still to be read. */
  isInstead?: boolean;
  /** The reader chose it while another world was shown, which was to be saved first, by this question. */
  leaves?: { ask: number; saving: Promise<Kept> };
  saved?: (kept: Kept) => void;
  /** A field that shows itself why it was refused. */
  answered?: Answered | undefined;
}

export class Questions {
  #last = 0;
  readonly #open = new Map<number, Question>();

  ask(question: Question): number {
    const number = this.number();
    this.#open.set(number, question);
    return number;
  }

  /** Of what needs no answer but to be heard. */
  number(): number {
    this.#last += 1;
    return this.#last;
  }

  /** The question of this answer. */
  take(ask: number): Question | undefined {
    const question = this.#open.get(ask);
    this.#open.delete(ask);
    return question;
  }

  get isOpening(): boolean {
    return [...this.#open.values()].some(({ source }) => source !== undefined);
  }

  /** Another worker came: it was asked for its scene and for nothing else. */
  keepOpenings(): void {
    for (const [ask, { source, saved, answered }] of [...this.#open]) {
      if (source !== undefined) continue;
      this.#open.delete(ask);
      saved?.(null);
      answered?.({ text: () => words3d('problem.lost') });
    }
  }

  /** Nothing that was not answered will be. */
  lose(): void {
    this.keepOpenings();
    this.#open.clear();
  }
}
