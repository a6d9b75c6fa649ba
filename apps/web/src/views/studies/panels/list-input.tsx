/** Input of several numbers, separated by commas. */
import { useLayoutEffect, useState } from 'preact/hooks';

import { readList, formatList } from '../state/choice.ts';

interface Props {
  id: string;
  values: readonly number[];
  problem?: string | undefined;
  noteId: string;
  onInput: (values: readonly number[]) => void;
}

export function ListInput({ id, values, problem, noteId, onInput }: Props) {
  const [typed, setTyped] = useState(() => formatList(values));
  // New values from outside replace the typed text, unless it represents them; in a layout effect,
  // before further input.
  useLayoutEffect(() => {
    setTyped((now) => (isSame(readList(now), values) ? now : formatList(values)));
  }, [values]);
  const describedBy = problem === undefined ? noteId : `${id}-problem ${noteId}`;
  return (
    <input
      id={id}
      class="list-input"
      type="text"
      inputMode="numeric"
      autocomplete="off"
      spellcheck={false}
      aria-invalid={problem === undefined ? undefined : true}
      aria-describedby={describedBy}
      value={typed}
      onInput={(event) => {
        setTyped(event.currentTarget.value);
        onInput(readList(event.currentTarget.value));
      }}
    />
  );
}

/** NaN equals NaN here. */
function isSame(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((value, place) => Object.is(value, other[place]));
}
