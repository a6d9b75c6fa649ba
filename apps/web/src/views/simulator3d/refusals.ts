/** What was refused last, and beside which form is that said? */
import { signal } from '@preact/signals';

import { inOne, ledBy } from '../../shared/told.tsx';
import { say } from '../../shell/status.tsx';
import { type EngineError, errorSaid, errorTold, errorWrong, loadErrorTexts } from './engine-errors.ts';
import type { FromWorker } from './protocol.ts';
import type { Asker, Question } from './questions.ts';
import { words3d } from './words.ts';

export interface Refusal {
  by: Asker;
  /** By the engine; or else by the page, in the reader's language. */
  error?: EngineError;
  why?: string;
  /** The text that was refused, if it was a file. */
  text?: string;
  /** Of files: what could not be done. */
  doing?: 'open' | 'save';
}

export class Refusals {
  readonly last = signal<Refusal | null>(null);

  /** A file that is not even read, or written. */
  ofFile(why: () => string, doing: 'open' | 'save' = 'open'): void {
    this.last.value = { by: 'file', why: why(), doing };
    say(why);
  }

  /** The stage refused what was asked by this question. */
  take(question: Question | undefined, { error }: Extract<FromWorker, { kind: 'refused' }>): void {
    const text = question?.source !== undefined && 'text' in question.source ? { text: question.source.text } : {};
    question?.saved?.(null);
    void loadErrorTexts().then(() => this.#show(question, error, text));
  }

  #show(question: Question | undefined, error: EngineError, text: { text?: string }): void {
    if (question?.answered !== undefined) question.answered(errorWrong(error));
    else this.last.value = { by: question?.by ?? 'file', error, doing: question?.saved === undefined ? 'open' : 'save', ...text };
    if (question?.source === undefined) say(() => words3d('said.refused', { what: errorSaid(error) }));
    else say(() => inOne(ledBy(words3d('file.problem'), errorTold(error))));
  }

  /** All of it, or what one of them was told. */
  forget(by?: Asker): void {
    if (by === undefined || this.last.value?.by === by) this.last.value = null;
  }
}
