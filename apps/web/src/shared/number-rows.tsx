/** Rows of numbers that move until somebody types, and are taken when that is done; three of them as a vector. */
import type { ComponentChildren } from 'preact';

import { type Answered, type Entry, useEntry, type Wrong } from './entry.ts';
import { FieldProblem, Row } from './fields.tsx';
import { language, words } from './i18n.ts';
import { type Limits, NumberField } from './number-field.tsx';
import { entered, readEntered, twoReadings } from './numbers.ts';
import { AXES, type Vector } from './vector.ts';

export type { Limits };

/** Pixels of a third of a row, for the name of an axis and six figures. */
const THIRD = 56;
/** So far goes a number by one press of an arrow, in m or what it is in. */
const STEP = 0.1;
/** A millimetre: more digits of what moves would only flicker. */
const MOVING_DIGITS = 3;
const STILL_DIGITS = 6;

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
      <EntryField {...asked} entry={entry} />
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
  /** Whether they are there to be typed; their label stays, and may be the switch that brings them. */
  shown?: boolean;
}

/** Numbers side by side, each with its own name. */
export function PartsRow({ parts, before, shown = true, ...row }: PartsRowProps) {
  const entries = parts.map((part) => useNumber(part.name, part));
  return (
    <Row {...row} class="row-parts" below={shown && parts.map(({ id }, place) => <Problem key={id} id={id} entry={entries[place]!} />)}>
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
    onCommit: (number, answered) => {
      const whole: Vector = [value[0] ?? 0, value[1] ?? 0, value[2] ?? 0];
      whole[place] = number;
      onCommit(whole, answered, whole.map((each, axis) => (axis === place ? each : null)));
    },
  });
  return <PartsRow label={label} parts={[part(0), part(1), part(2)]} shown={shown} />;
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
          else if (event.key === 'Escape') entry.onGiveUp();
        }}
      />
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
  if (above !== undefined && value <= above) return { text: () => words('problem.not-above', { limit: above }) };
  if (least !== undefined && value < least) return { text: () => words('problem.too-small', { limit: least }) };
  if (most !== undefined && value > most) return { text: () => words('problem.too-large', { limit: most }) };
  return null;
}

interface EntryFieldProps {
  id: string;
  entry: Entry;
  limits?: Limits | undefined;
  label?: string;
  prefix?: string;
  room?: number;
  step?: number | undefined;
  disabled?: boolean;
}

/** The field of an entry. */
function EntryField({ id, entry: { text, wrong, onInput, onDone, onGiveUp }, limits, label, prefix, room, step, disabled }: EntryFieldProps) {
  return (
    <NumberField
      id={id}
      text={text}
      onInput={onInput}
      onDone={onDone}
      onGiveUp={onGiveUp}
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

function Problem({ id, entry: { wrong } }: { id: string; entry: Entry }) {
  return <FieldProblem id={`${id}-problem`} {...(wrong?.told?.() ?? { text: wrong?.text() })} />;
}
