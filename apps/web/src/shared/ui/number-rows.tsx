/**
 * Rows of numbers that follow the simulation until the user types, and are committed on Enter or
 * blur; three of them form a vector.
 */
import type { ComponentChildren } from 'preact';

import { type CommitCallback, type FormEntry, useFormEntry, type EntryError } from './form-entry.ts';
import { FieldErrorText, Row } from './fields.tsx';
import { language, t } from '../i18n/translate.ts';
import { type Limits, NumberField } from './number-field.tsx';
import { formatInput, parseInput, ambiguousReadings } from '../i18n/number-format.ts';
import { AXES, type Vector } from '../vector.ts';

export type { Limits };

/** Pixels of a third of a row: the name of an axis and six digits. */
const THIRD = 56;
/** Increment of the arrow keys, in the unit of the value. */
const STEP = 0.1;
/** Millimeters: more digits of a moving value would only flicker. */
const MOVING_DIGITS = 3;
const STILL_DIGITS = 6;

interface NumberOptions {
  id: string;
  value: number;
  limits?: Limits | undefined;
  onCommit: (value: number, onResult: CommitCallback) => void;
  /** Displayed digits after the decimal separator. */
  digits?: number | undefined;
  /** Increment of the arrow keys. */
  step?: number | undefined;
  disabled?: boolean;
}

export function NumberRow({ label, beside, ...options }: NumberOptions & { label: string; beside?: ComponentChildren }) {
  const entry = useNumber(label, options);
  return (
    <Row label={label} for={options.id} below={<FieldError id={options.id} entry={entry} />}>
      <EntryField {...options} entry={entry} />
      {beside}
    </Row>
  );
}

/** One of several numbers in a row: with its own label, and a short one inside the input. */
export interface Part extends NumberOptions {
  name: string;
  short: string;
}

interface PartsRowProps {
  label: ComponentChildren;
  /** Id of the element that precedes the numbers, if any. */
  for?: string;
  before?: ComponentChildren;
  /** Fixed in number for the component's lifetime: change the key to change it. */
  parts: readonly Part[];
  /** Whether the inputs are rendered; their label stays, and may be the switch that shows them. */
  shown?: boolean;
}

/** Numbers side by side, each with its own label. */
export function PartsRow({ parts, before, shown = true, ...row }: PartsRowProps) {
  const entries = parts.map((part) => useNumber(part.name, part));
  return (
    <Row {...row} class="row-parts" below={shown && parts.map(({ id, short }, place) => <FieldError key={id} id={id} part={short} entry={entries[place]!} />)}>
      {before}
      {shown && parts.map(({ name, short, ...part }, place) => (
        <EntryField key={part.id} {...part} entry={entries[place]!} label={name} prefix={short} room={THIRD} />
      ))}
    </Row>
  );
}

interface VectorRowProps {
  id: string;
  label: ComponentChildren;
  /** Label of one input. */
  name: (axis: string) => string;
  value: readonly number[];
  /**
   * `part` is null where nothing was typed: a value that changes by itself keeps changing there.
   */
  onCommit: (value: Vector, onResult: CommitCallback, part: readonly (number | null)[]) => void;
  limits?: Limits;
  /** The value changes by itself. */
  moves?: boolean;
  digits?: number;
  step?: number;
  shown?: boolean;
}

export function VectorRow({ id, label, name, value, onCommit, limits, moves = false, digits, step, shown = true }: VectorRowProps) {
  const part = (place: number): Part => ({
    id: `${id}-${AXES[place]}`,
    name: name(AXES[place]!),
    short: AXES[place]!,
    value: value[place] ?? 0,
    limits,
    digits: digits ?? (moves ? MOVING_DIGITS : STILL_DIGITS),
    step,
    onCommit: (number, onResult) => {
      const whole: Vector = [value[0] ?? 0, value[1] ?? 0, value[2] ?? 0];
      whole[place] = number;
      onCommit(whole, onResult, whole.map((each, axis) => (axis === place ? each : null)));
    },
  });
  return <PartsRow label={label} parts={[part(0), part(1), part(2)]} shown={shown} />;
}

interface TextRowProps {
  id: string;
  label: string;
  value: string;
  onCommit: (value: string, onResult: CommitCallback) => void;
}

export function TextRow({ id, label, value, onCommit }: TextRowProps) {
  const entry = useFormEntry({ name: label, shown: value, read: (typed) => ({ value: typed }), onCommit });
  return (
    <Row label={label} for={id} below={<FieldError id={id} entry={entry} />}>
      <input
        id={id}
        class="text-input"
        type="text"
        autocomplete="off"
        maxLength={80}
        value={entry.text}
        aria-invalid={entry.wrong !== null || undefined}
        aria-describedby={entry.wrong === null ? undefined : `${id}-problem`}
        onInput={(event) => entry.onInput(event.currentTarget.value)}
        onBlur={entry.onDone}
        onKeyDown={(event) => {
          if (event.key === 'Enter') entry.onDone();
          else if (event.key === 'Escape') entry.onCancel();
        }}
      />
    </Row>
  );
}

/** Entry of a number, for fields outside a row, too. */
export function useNumber(name: string, { value, limits, onCommit, digits = STILL_DIGITS }: Omit<NumberOptions, 'id'>): FormEntry {
  const locale = language.value;
  return useFormEntry({
    name,
    shown: formatInput(value, digits, locale),
    read: (typed) => {
      const two = ambiguousReadings(typed, locale);
      if (two !== null) return { wrong: { text: () => oneOf(two) } };
      const number = parseInput(typed, locale);
      const wrong = validate(number, limits ?? {});
      return wrong === null ? { value: number } : { wrong };
    },
    onCommit,
  });
}

function oneOf([one, other]: readonly [number, number]): string {
  const typed = (value: number): string => formatInput(value, STILL_DIGITS, language.value);
  return t('problem.two-readings', { one: typed(one), other: typed(other) });
}

function validate(value: number, { whole, min, max, above }: Limits): EntryError | null {
  if (!Number.isFinite(value)) return { text: () => t('problem.not-a-number') };
  if (whole === true && !Number.isInteger(value)) return { text: () => t('problem.not-whole') };
  if (above !== undefined && value <= above) return { text: () => t('problem.not-above', { limit: above }) };
  if (min !== undefined && value < min) return { text: () => t('problem.too-small', { limit: min }) };
  if (max !== undefined && value > max) return { text: () => t('problem.too-large', { limit: max }) };
  return null;
}

interface EntryFieldProps {
  id: string;
  entry: FormEntry;
  limits?: Limits | undefined;
  label?: string;
  prefix?: string;
  room?: number;
  step?: number | undefined;
  disabled?: boolean;
}

/** The field of a form entry. */
export function EntryField({ id, entry: { text, wrong, onInput, onDone, onCancel }, limits, label, prefix, room, step, disabled }: EntryFieldProps) {
  return (
    <NumberField
      id={id}
      text={text}
      onInput={onInput}
      onDone={onDone}
      onCancel={onCancel}
      limits={limits}
      step={limits?.whole === true ? 1 : (step ?? STEP)}
      label={label}
      prefix={prefix}
      room={room}
      isWrong={wrong !== null}
      describedBy={wrong === null ? undefined : `${id}-problem`}
      disabled={disabled}
    />
  );
}

/** `part` names one of several fields of the row; errors of the engine name their quantity. */
function FieldError({ id, part, entry: { wrong } }: { id: string; part?: string; entry: FormEntry }) {
  const text = wrong?.text();
  const own = { text: part === undefined || text === undefined ? text : `${part}: ${text}` };
  return <FieldErrorText id={`${id}-problem`} {...(wrong?.content?.() ?? own)} />;
}
