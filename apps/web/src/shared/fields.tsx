/**
 * How does the reader enter a value?
 *
 * Native inputs with a label, and beside them, tied to them, what is wrong. A number is told while it
 * is typed; who listens decides how long to wait.
 */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

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
export function FieldProblem({ id, text, lang }: { id: string; text: string | undefined; lang?: string | undefined }) {
  return text === undefined ? null : (
    <p class="field-problem" id={id}>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
        <path d="M6 1 11.5 11H.5z" />
      </svg>
      <span lang={lang}>{text}</span>
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

export function NumberInput(props: NumberInputProps) {
  const { id, value, label, prefix, range, whole, problem, noteId, disabled } = props;
  const describedBy = [problem === undefined ? undefined : `${id}-problem`, noteId].filter((each) => each !== undefined);
  const [typed, setTyped] = useState(() => shown(value));
  // A value from elsewhere replaces what was typed, unless they say the same. At once: later, something more
  // may have been typed, and would be lost.
  useLayoutEffect(() => {
    setTyped((now) => (Object.is(toNumber(now), value) ? now : shown(value)));
  }, [value]);
  return (
    <span class="number">
      {prefix !== undefined && hasRoom(prefix, typed, props.room) && (
        <span class="number-prefix" aria-hidden="true">
          {prefix}
        </span>
      )}
      <input
        id={id}
        type="number"
        inputMode={whole === true ? 'numeric' : 'decimal'}
        autocomplete="off"
        step={whole === true ? 1 : 'any'}
        min={range?.[0]}
        max={range?.[1]}
        aria-label={label}
        aria-invalid={problem === undefined ? undefined : true}
        aria-describedby={describedBy.join(' ') || undefined}
        disabled={disabled}
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          props.onInput(toNumber(event.currentTarget.value));
        }}
        onChange={props.onDone}
        onKeyDown={(event) => event.key === 'Enter' && props.onDone()}
      />
    </span>
  );
}

/** In pixels: of a letter before the number, of a figure, and of what two inputs in a row leave for both. */
const [LETTER, FIGURE, ROOM] = [6.5, 8.1, 53];

/** A long number needs the whole input; its place says what it is. */
function hasRoom(prefix: string, typed: string, room = ROOM): boolean {
  return LETTER * prefix.length + FIGURE * typed.length <= room;
}

function toNumber(typed: string): number {
  return typed.trim() === '' ? Number.NaN : Number(typed);
}

function shown(value: number): string {
  return Number.isFinite(value) ? String(value) : '';
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
  return (
    <fieldset class={props.compact === true ? 'segments compact' : 'segments'} aria-describedby={props.describedBy}>
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
  return (
    <label class="check">
      <input
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
