/**
 * Form fields.
 *
 * Native inputs with a label and, linked by `aria-describedby`, the error beside them. Number
 * inputs report every keystroke; the caller decides how long to debounce.
 */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

import { language } from '../i18n/translate.ts';
import { NumberField } from './number-field.tsx';
import { formatInput, parseInput } from '../i18n/number-format.ts';
import { MixedLanguageText, type MixedText } from './mixed-language-text.tsx';

/** Maximum digits after the decimal separator: values from a link are not rounded. */
const EXACT = 15;

/**
 * A form row: label on the left, inputs on the right, messages below. Without `for`, the inputs have
 * labels of their own: a text on the left would be read twice, an element may be a control.
 */
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
        <span class="row-label" aria-hidden={typeof props.label === 'string' || undefined}>
          {props.label}
        </span>
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

/** Why a value was rejected. */
export function FieldErrorText({ id, ...message }: MixedText & { id: string }) {
  return message.text === undefined ? null : (
    <p class="field-problem" id={id}>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
        <path d="M6 1 11.5 11H.5z" />
      </svg>
      <span>
        <MixedLanguageText {...message} />
      </span>
    </p>
  );
}

interface NumberInputProps {
  id: string;
  value: number;
  onInput: (value: number) => void;
  /** Enter or blur. */
  onDone: () => void;
  /** For an input that is not labeled by its row. */
  label?: string;
  /** Muted text inside the input. */
  prefix?: string;
  range?: readonly [number, number] | undefined;
  whole?: boolean;
  problem?: string | undefined;
  /** Id of the explanation, in addition to that of the error. */
  noteId?: string | undefined;
  disabled?: boolean;
  /** Width for prefix and number in pixels; the default fits two inputs in a row. */
  room?: number;
}

/**
 * Number input that reports every keystroke. The typed text stays as long as it represents the
 * current value.
 */
export function NumberInput(props: NumberInputProps) {
  const { id, value, label, prefix, range, whole, problem, noteId, disabled, room } = props;
  const describedBy = [problem === undefined ? undefined : `${id}-problem`, noteId].filter((each) => each !== undefined);
  const [typed, setTyped] = useState<string | null>(null);
  const isChanged = useRef(false);
  const locale = language.value;
  // A new value from outside, or another language, replaces the typed text unless that already
  // represents the value.
  const text = typed !== null && Object.is(parseInput(typed, locale), value) ? typed : formatInput(value, EXACT, locale);
  return (
    <NumberField
      id={id}
      text={text}
      limits={{ whole, min: range?.[0], max: range?.[1] }}
      label={label}
      prefix={prefix}
      room={room}
      isWrong={problem !== undefined}
      describedBy={describedBy.join(' ') || undefined}
      disabled={disabled}
      onInput={(now) => {
        isChanged.current = true;
        setTyped(now);
        props.onInput(parseInput(now, locale));
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
  /** Tooltip. */
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

/** Segmented control: radio buttons in a bar. */
export function Segments<Value extends string>(props: SegmentsProps<Value>) {
  const bar = useRef<HTMLFieldSetElement>(null);
  // A rejected choice stays checked in the DOM until it is reset explicitly.
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
