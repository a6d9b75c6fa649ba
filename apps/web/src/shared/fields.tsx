/**
 * How does the reader enter a value?
 *
 * Native inputs with a label, and beside them, tied to them, what is wrong. A number is told while it
 * is typed; who listens decides how long to wait.
 */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import { language } from './i18n.ts';
import { NumberField } from './number-field.tsx';
import { entered, readEntered } from './numbers.ts';
import { Parts, type Told } from './told.tsx';

/** As many digits after the point as a number may have: what a link says is not rounded. */
const EXACT = 15;

/** A row of a form: name on the left, inputs on the right, messages below. */
export function Row(props: {
  label: ComponentChildren;
  for?: string;
  class?: string;
  children: ComponentChildren;
  below?: ComponentChildren;
}) {
  return (
    <div class={`row ${props.class ?? ''}`}>
      {props.for === undefined ? (
        <span class="row-label">{props.label}</span>
      ) : (
        <label class="row-label" for={props.for}>
          {props.label}
        </label>
      )}
      <div class="row-inputs">{props.children}</div>
      {props.below}
    </div>
  );
}

/** Why a value was not taken. */
export function FieldProblem({ id, ...told }: Told & { id: string }) {
  return told.text === undefined ? null : (
    <p class="field-problem" id={id}>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
        <path d="M6 1 11.5 11H.5z" />
      </svg>
      <span>
        <Parts {...told} />
      </span>
    </p>
  );
}

interface NumberInputProps {
  id: string;
  value: number;
  onInput: (value: number) => void;
  /** Enter, or leaving the field. */
  onDone: () => void;
  /** Where the row's label is not this input's own. */
  label?: string;
  /** Muted, inside the input. */
  prefix?: string;
  range?: readonly [number, number] | undefined;
  whole?: boolean;
  problem?: string | undefined;
  /** What explains it, beside what is wrong with it. */
  noteId?: string | undefined;
  disabled?: boolean;
  /** Pixels for the prefix and the number; of two inputs in a row unless told. */
  room?: number;
}

/** A number that is told while it is typed. What is typed stays as it is while it says what holds. */
export function NumberInput(props: NumberInputProps) {
  const { id, value, label, prefix, range, whole, problem, noteId, disabled, room } = props;
  const describedBy = [problem === undefined ? undefined : `${id}-problem`, noteId].filter((each) => each !== undefined);
  const [typed, setTyped] = useState<string | null>(null);
  const isChanged = useRef(false);
  const spoken = language.value;
  // A value from elsewhere takes the place of what was typed, unless they say the same; so does another language.
  const text = typed !== null && Object.is(readEntered(typed, spoken), value) ? typed : entered(value, EXACT, spoken);
  return (
    <NumberField
      id={id}
      text={text}
      limits={{ whole, least: range?.[0], most: range?.[1] }}
      label={label}
      prefix={prefix}
      room={room}
      isWrong={problem !== undefined}
      describedBy={describedBy.join(' ') || undefined}
      disabled={disabled}
      onInput={(now) => {
        isChanged.current = true;
        setTyped(now);
        props.onInput(readEntered(now, spoken));
      }}
      onDone={() => {
        if (isChanged.current) props.onDone();
        isChanged.current = false;
      }}
    />
  );
}

interface Choice<Value extends string> {
  value: Value;
  label: string;
  /** Explains it to those who rest the pointer on it. */
  hint?: string;
}

interface SegmentsProps<Value extends string> {
  name: string;
  label: string;
  choices: readonly Choice<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  describedBy?: string | undefined;
  compact?: boolean;
}

/** One of a few, all in sight: radio buttons in the shape of a bar. */
export function Segments<Value extends string>(props: SegmentsProps<Value>) {
  const bar = useRef<HTMLFieldSetElement>(null);
  // A choice that was refused is the browser's until it is told that another one holds.
  useLayoutEffect(() => bar.current?.querySelectorAll('input').forEach((input) => (input.checked = input.value === props.value)));
  return (
    <fieldset ref={bar} class={props.compact === true ? 'segments compact' : 'segments'} aria-describedby={props.describedBy}>
      <legend class="visually-hidden">{props.label}</legend>
      {props.choices.map(({ value, label, hint }) => (
        <label key={value} title={hint}>
          <input
            type="radio"
            class="visually-hidden"
            name={props.name}
            value={value}
            checked={value === props.value}
            onChange={() => props.onChange(value)}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface CheckProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ComponentChildren;
  disabled?: boolean;
  describedBy?: string | undefined;
}

export function Check({ checked, onChange, children, disabled, describedBy }: CheckProps) {
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (box.current !== null) box.current.checked = checked;
  });
  return (
    <label class="check">
      <input
        ref={box}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        aria-describedby={describedBy}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {children}
    </label>
  );
}
