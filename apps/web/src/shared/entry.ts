/**
 * What happens to what somebody types?
 *
 * It stays as typed until it is done, however often the world moves meanwhile. Promise: what cannot be taken
 * changes nothing, stays to be mended, and is told at its field; Escape gives it up.
 */
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';

import { say } from '../shell/status.tsx';
import { words } from './i18n.ts';
import type { Told } from './told.tsx';

/** Why it was not taken. */
export interface Wrong {
  text: () => string;
  /** Beside the field, where some of it is in the engine's own language. */
  told?: () => Told;
  /** It was judged, and who asked was told: it is neither said nor asked again. */
  wasSaid?: boolean;
}

/** Called once: with nothing if it was taken, else with what the engine says, or why it says nothing. */
export type Answered = (refused: Wrong | null) => void;

interface Asked<Value> {
  /** What the field is called. */
  name: string;
  /** What is so at present, as it would be typed. */
  shown: string;
  read: (typed: string) => { value: Value } | { wrong: Wrong };
  onCommit: (value: Value, answered: Answered) => void;
}

export interface Entry {
  text: string;
  wrong: Wrong | null;
  onInput: (typed: string) => void;
  /** Enter, or leaving the field. */
  onDone: () => void;
  onGiveUp: () => void;
}

export function useEntry<Value>({ name, shown, read, onCommit }: Asked<Value>): Entry {
  const typed = useSignal<string | null>(null);
  const wrong = useSignal<Wrong | null>(null);
  /** Enter asks, and leaving the field would ask again. */
  const asked = useRef<string | null>(null);
  const settle = (): void => {
    typed.value = null;
    wrong.value = null;
    asked.current = null;
  };
  const refuse = (reason: Wrong): void => {
    wrong.value = reason;
    say(() => words('problem.refused', { field: name, problem: reason.text() }));
  };
  return {
    text: typed.value ?? shown,
    wrong: wrong.value,
    onInput: (now) => {
      typed.value = now;
      asked.current = null;
    },
    onDone: () => {
      const done = typed.value;
      if (done === null || done === asked.current) return;
      if (done === shown) {
        settle();
        return;
      }
      asked.current = done;
      const answer = read(done);
      if ('wrong' in answer) {
        refuse(answer.wrong);
        return;
      }
      onCommit(answer.value, (refused) => {
        // Something else may have been typed meanwhile.
        if (typed.value !== done) return;
        if (refused === null) {
          settle();
        } else if (refused.wasSaid === true) {
          wrong.value = refused;
        } else {
          // Nobody looked at it: it may be asked again as it is.
          asked.current = null;
          refuse(refused);
        }
      });
    },
    onGiveUp: settle,
  };
}
