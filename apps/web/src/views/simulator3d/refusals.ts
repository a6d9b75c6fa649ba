/** What was refused last, and beside which form is that said? */
import { signal } from '@preact/signals';

import { inOne, ledBy } from '../../shared/told.tsx';
import { say } from '../../shell/status.tsx';
import { engineSaid, engineToldOfFile, engineWrong } from './engine-words.ts';
import type { FromWorker } from './protocol.ts';
import type { Asker, Question } from './questions.ts';
import { words3d } from './words.ts';

export interface Refusal {
  by: Asker;
  /** In the engine's words, but for files that it never saw. */
  what: string;
  line?: number;
  column?: number;
  /** The text that was refused, if it was a file. */
  text?: string;
  /** Of files: what could not be done. */
  doing?: 'open' | 'save';
  /** It is the page that refused, in the reader's language. */
  isOurs?: boolean;
}

export class Refusals {
  readonly last = signal<Refusal | null>(null);

  /** A file that is not even read, or written. */
  ofFile(why: () => string, doing: 'open' | 'save' = 'open'): void {
    this.last.value = { by: 'file', what: why(), doing, isOurs: true };
    say(why);
  }

  /** The stage refused what was asked by this question. */
  take(question: Question | undefined, { what, line, column }: Extract<FromWorker, { kind: 'refused' }>): void {
    const place = line === undefined || column === undefined ? {} : { line, column };
    const text = question?.source !== undefined && 'text' in question.source ? { text: question.source.text } : {};
    question?.saved?.(null);
    if (question?.answered !== undefined) question.answered(engineWrong(what));
    else this.last.value = { by: question?.by ?? 'file', what, doing: question?.saved === undefined ? 'open' : 'save', ...place, ...text };
    if (question?.source === undefined) say(() => words3d('said.refused', { what: engineSaid(what) }));
    else say(() => inOne(ledBy(words3d('file.problem'), engineToldOfFile(what))));
  }

  /** All of it, or what one of them was told. */
  forget(by?: Asker): void {
    if (by === undefined || this.last.value?.by === by) this.last.value = null;
  }
}
