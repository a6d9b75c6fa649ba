/** How does the reader enter several numbers? As text, between commas. */
import { useLayoutEffect, useState } from 'preact/hooks';

import { readList, writeList } from './choice.ts';

interface Props {
  id: string;
  values: readonly number[];
  problem?: string | undefined;
  noteId: string;
  onInput: (values: readonly number[]) => void;
}

export function ListInput({ id, values, problem, noteId, onInput }: Props) {
  const [typed, setTyped] = useState(() => writeList(values));
  // Values from elsewhere replace what was typed, unless they say the same; at once, before more is typed.
  useLayoutEffect(() => {
    setTyped((now) => (isSame(readList(now), values) ? now : writeList(values)));
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

/** Two things that are no numbers say the same. */
function isSame(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((value, place) => Object.is(value, other[place]));
}
