/** The last rejected edit or file, and the form that shows its error. */
import { signal } from '@preact/signals';

import { toSentence, withLead } from '../../../shared/ui/mixed-language-text.tsx';
import { announce } from '../../../shell/status.tsx';
import { type EngineError, errorSentence, errorText, toEntryError, loadErrorTexts } from '../i18n/engine-errors.ts';
import type { FromWorker } from '../workers/protocol.ts';
import type { RequestSource, WorkerRequest } from '../workers/worker-requests.ts';
import { t3d } from '../i18n/translate.ts';

export interface EditError {
  by: RequestSource;
  /** Error of the engine; otherwise a text of the page. */
  error?: EngineError;
  why?: string;
  /** Text of the rejected file. */
  text?: string;
  /** The failed operation on a file. */
  doing?: 'open' | 'save';
}

export class EditErrors {
  readonly last = signal<EditError | null>(null);

  /** A file that could not be read or written at all. */
  ofFile(why: () => string, doing: 'open' | 'save' = 'open'): void {
    this.last.value = { by: 'file', why: why(), doing };
    announce(why);
  }

  /** The stage rejected this request. */
  take(pendingRequest: WorkerRequest | undefined, { error }: Extract<FromWorker, { kind: 'refused' }>): void {
    const text = pendingRequest?.source !== undefined && 'text' in pendingRequest.source ? { text: pendingRequest.source.text } : {};
    pendingRequest?.saved?.(null);
    void loadErrorTexts().then(() => this.#show(pendingRequest, error, text));
  }

  #show(pendingRequest: WorkerRequest | undefined, error: EngineError, text: { text?: string }): void {
    if (pendingRequest?.onResult !== undefined) pendingRequest.onResult(toEntryError(error));
    else this.last.value = { by: pendingRequest?.by ?? 'file', error, doing: pendingRequest?.saved === undefined ? 'open' : 'save', ...text };
    if (pendingRequest?.source === undefined) announce(() => t3d('announce.refused', { what: errorSentence(error) }));
    else announce(() => toSentence(withLead(t3d('file.problem'), errorText(error))));
  }

  /** Clears all errors, or those of one form. */
  forget(by?: RequestSource): void {
    if (by === undefined || this.last.value?.by === by) this.last.value = null;
  }
}
