/**
 * Form entry: edit state of a field whose value changes by itself.
 *
 * Typed text stays until it is committed, however often the simulated value changes meanwhile. A
 * rejected entry changes nothing, stays for correction and shows the error at its field; Escape
 * discards it.
 */
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';

import { announce } from '../../shell/status.tsx';
import { t } from '../i18n/translate.ts';
import type { MixedText } from './mixed-language-text.tsx';

/** Why an entry was rejected. */
export interface EntryError {
  text: () => string;
  /** For beside the field, where part of the message is in the engine's language. */
  content?: () => MixedText;
  /** Already announced by the caller: neither announced again nor submitted again. */
  isAnnounced?: boolean;
}

/** Called once: with null if the value was accepted, otherwise with the error. */
export type CommitCallback = (refused: EntryError | null) => void;

interface EntryOptions<Value> {
  /** Label of the field. */
  name: string;
  /** The current value as input text. */
  shown: string;
  read: (typed: string) => { value: Value } | { wrong: EntryError };
  onCommit: (value: Value, onResult: CommitCallback) => void;
}

export interface FormEntry {
  text: string;
  wrong: EntryError | null;
  onInput: (typed: string) => void;
  /** Enter or blur. */
  onDone: () => void;
  onCancel: () => void;
}

export function useFormEntry<Value>({ name, shown, read, onCommit }: EntryOptions<Value>): FormEntry {
  const typed = useSignal<string | null>(null);
  const wrong = useSignal<EntryError | null>(null);
  /** The submitted text: Enter submits, and the following blur must not submit again. */
  const submitted = useRef<string | null>(null);
  const settle = (): void => {
    typed.value = null;
    wrong.value = null;
    submitted.current = null;
  };
  const refuse = (reason: EntryError): void => {
    wrong.value = reason;
    announce(() => t('problem.refused', { field: name, problem: reason.text() }));
  };
  return {
    text: typed.value ?? shown,
    wrong: wrong.value,
    onInput: (now) => {
      typed.value = now;
      submitted.current = null;
    },
    onDone: () => {
      const done = typed.value;
      if (done === null || done === submitted.current) return;
      if (done === shown) {
        settle();
        return;
      }
      submitted.current = done;
      const answer = read(done);
      if ('wrong' in answer) {
        refuse(answer.wrong);
        return;
      }
      onCommit(answer.value, (refused) => {
        // The user may have typed something else meanwhile.
        if (typed.value !== done) return;
        if (refused === null) {
          settle();
        } else if (refused.isAnnounced === true) {
          wrong.value = refused;
        } else {
          // The value was not evaluated: it may be submitted again unchanged.
          submitted.current = null;
          refuse(refused);
        }
      });
    },
    onCancel: settle,
  };
}
