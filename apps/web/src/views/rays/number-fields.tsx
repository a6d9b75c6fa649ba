/** Numbers that move until somebody types, and three of them as a vector. */
import type { ComponentChildren } from 'preact';

import { FieldProblem, Row } from '../../shared/fields.tsx';
import { language, words } from '../../shared/i18n.ts';
import { entered, readEntered, twoReadings } from '../../shared/numbers.ts';
import { type Answered, type Entry, useEntry, type Wrong } from './entry.ts';
import { AXES, type Vector } from '../../shared/vector.ts';
import { wordsRays } from './words.ts';

/** Letters beside which the name of an axis has room in a third of a row. */
const THIRD = 6;
/** So far goes a number by one press of an arrow, unless told. */
const STEP = 0.1;
/** A millimetre: more digits of what moves would only flicker. */
const MOVING_DIGITS = 3;
const STILL_DIGITS = 6;

/** Which numbers can be taken. */
export interface Limits {
  whole?: boolean;
  least?: number;
  most?: number;
  /** More than this, and not this itself. */
  above?: number;
}

interface Asked {
  id: string;
  value: number;
  limits?: Limits | undefined;
  onCommit: (value: number, answered: Answered) => void;
  /** Digits after the point that are shown. */
  digits?: number | undefined;
  /** So far goes one press of an arrow. */
  step?: number | undefined;
  disabled?: boolean;
}

export function NumberRow({ label, beside, ...asked }: Asked & { label: string; beside?: ComponentChildren }) {
  const entry = useNumber(label, asked);
  return (
    <Row label={label} for={asked.id} below={<Problem id={asked.id} entry={entry} />}>
      <NumberField {...asked} entry={entry} />
      {beside}
    </Row>
  );
}

/** One of several in a row: its own name, and a short one inside. */
export interface Part extends Asked {
  name: string;
  short: string;
}

interface PartsRowProps {
  label: ComponentChildren;
  /** Of what stands before the numbers, if something does. */
  for?: string;
  before?: ComponentChildren;
  /** As many as long as it lives: give it another key else. */
  parts: readonly Part[];
}

/** Numbers side by side, each with its own name. */
export function PartsRow({ parts, before, ...row }: PartsRowProps) {
  const entries = parts.map((part) => useNumber(part.name, part));
  return (
    <Row {...row} class="row-parts" below={parts.map(({ id }, place) => <Problem key={id} id={id} entry={entries[place]!} />)}>
      {before}
      {parts.map(({ name, ...part }, place) => (
        <NumberField key={part.id} {...part} entry={entries[place]!} label={name} />
      ))}
    </Row>
  );
}

interface VectorRowProps {
  id: string;
  label: ComponentChildren;
  /** What a single input is called. */
  name: (axis: string) => string;
  value: readonly number[];
  /** `part` has nothing where nothing was typed: what moves by itself is left alone there. */
  onCommit: (value: Vector, answered: Answered, part: readonly (number | null)[]) => void;
  limits?: Limits;
  /** It moves by itself. */
  moves?: boolean;
  digits?: number;
  step?: number;
}

export function VectorRow({ id, label, name, value, onCommit, limits, moves = false, digits, step }: VectorRowProps) {
  const part = (place: number): Part => ({
    id: `${id}-${AXES[place]}`,
    name: name(AXES[place]!),
    short: AXES[place]!,
    value: value[place] ?? 0,
    limits,
    digits: digits ?? (moves ? MOVING_DIGITS : STILL_DIGITS),
    step,
    onCommit: (number, answered) => {
      const whole: Vector = [value[0] ?? 0, value[1] ?? 0, value[2] ?? 0];
      whole[place] = number;
      onCommit(whole, answered, whole.map((each, axis) => (axis === place ? each : null)));
    },
  });
  return <PartsRow label={label} parts={[part(0), part(1), part(2)]} />;
}

interface TextRowProps {
  id: string;
  label: string;
  value: string;
  onCommit: (value: string, answered: Answered) => void;
}

export function TextRow({ id, label, value, onCommit }: TextRowProps) {
  const entry = useEntry({ name: label, shown: value, read: (typed) => ({ value: typed }), onCommit });
  return (
    <Row label={label} for={id} below={<Problem id={id} entry={entry} />}>
      <input class="text-input" type="text" autocomplete="off" maxLength={80} {...enteredBy(id, entry)} />
    </Row>
  );
}

function useNumber(name: string, { value, limits, onCommit, digits = STILL_DIGITS }: Asked): Entry {
  const spoken = language.value;
  return useEntry({
    name,
    shown: entered(value, digits, spoken),
    read: (typed) => {
      const two = twoReadings(typed, spoken);
      if (two !== null) return { wrong: { text: () => oneOf(two) } };
      const number = readEntered(typed, spoken);
      const wrong = whatIsWrong(number, limits ?? {});
      return wrong === null ? { value: number } : { wrong };
    },
    onCommit,
  });
}

function oneOf([one, other]: readonly [number, number]): string {
  const typed = (value: number): string => entered(value, STILL_DIGITS, language.value);
  return words('problem.two-readings', { one: typed(one), other: typed(other) });
}

function whatIsWrong(value: number, { whole, least, most, above }: Limits): Wrong | null {
  if (!Number.isFinite(value)) return { text: () => words('problem.not-a-number') };
  if (whole === true && !Number.isInteger(value)) return { text: () => words('problem.not-whole') };
  if (above !== undefined && value <= above) return { text: () => wordsRays('problem.not-above', { limit: above }) };
  if (least !== undefined && value < least) return { text: () => words('problem.too-small', { limit: least }) };
  if (most !== undefined && value > most) return { text: () => words('problem.too-large', { limit: most }) };
  return null;
}

interface NumberFieldProps {
  id: string;
  entry: Entry;
  limits?: Limits | undefined;
  /** Where the row's label is not this input's own. */
  label?: string;
  /** Muted, inside the input. */
  short?: string;
  disabled?: boolean | undefined;
  digits?: number | undefined;
  step?: number | undefined;
}

/** Text, not the browser's own field of numbers: that one writes a hyphen, and points where the page has commas. */
function NumberField({ id, entry, limits, label, short, disabled, digits = STILL_DIGITS, step = STEP }: NumberFieldProps) {
  const isSigned = limits === undefined || (limits.least ?? limits.above ?? -1) < 0;
  const goBy = (by: number): void => {
    const now = readEntered(entry.text, language.value);
    const { least = -Infinity, most = Infinity } = limits ?? {};
    if (Number.isFinite(now)) entry.onInput(entered(Math.min(most, Math.max(least, now + by)), digits, language.value));
  };
  return (
    <span class="number">
      {short !== undefined && entry.text.length <= THIRD && (
        <span class="number-prefix" aria-hidden="true">
          {short}
        </span>
      )}
      <input
        type="text"
        // Keys of figures alone have no minus on some phones.
        inputMode={isSigned ? 'text' : limits.whole === true ? 'numeric' : 'decimal'}
        autocomplete="off"
        aria-label={label}
        title={label}
        disabled={disabled}
        {...enteredBy(id, entry, (key) => {
          if (key !== 'ArrowUp' && key !== 'ArrowDown') return false;
          goBy((key === 'ArrowUp' ? 1 : -1) * (limits?.whole === true ? 1 : step));
          return true;
        })}
      />
    </span>
  );
}

/** What every field does with its entry. */
function enteredBy(id: string, { text, wrong, onInput, onDone, onGiveUp }: Entry, more?: (key: string) => boolean) {
  return {
    id,
    value: text,
    'aria-invalid': wrong === null ? undefined : true,
    'aria-describedby': wrong === null ? undefined : `${id}-problem`,
    onInput: (event: { currentTarget: HTMLInputElement }) => onInput(event.currentTarget.value),
    onBlur: onDone,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Enter') onDone();
      else if (event.key === 'Escape') onGiveUp();
      else if (more?.(event.key) === true) event.preventDefault();
    },
  } as const;
}

function Problem({ id, entry: { wrong } }: { id: string; entry: Entry }) {
  return <FieldProblem id={`${id}-problem`} text={wrong?.text()} lang={wrong?.lang} />;
}
