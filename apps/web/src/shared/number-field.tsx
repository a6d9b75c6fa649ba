/**
 * A number, as every form of the page has it.
 *
 * Text, not the browser's own field of numbers: that one writes a hyphen for a minus, and a point where the page's
 * language has a comma. Arrows go up and down all the same.
 */
import { language } from './i18n.ts';
import { entered, readEntered } from './numbers.ts';

/** Which numbers can be taken. */
export interface Limits {
  whole?: boolean | undefined;
  least?: number | undefined;
  most?: number | undefined;
  /** More than this, and not this itself. */
  above?: number | undefined;
}

interface NumberFieldProps {
  id: string;
  /** As it is typed. */
  text: string;
  onInput: (text: string) => void;
  /** Enter, or leaving the field. */
  onDone: () => void;
  /** Escape. */
  onGiveUp?: () => void;
  limits?: Limits | undefined;
  /** So far goes a number by one press of an arrow. */
  step?: number;
  /** Where the row's label is not this input's own. */
  label?: string | undefined;
  /** Muted, inside the input. */
  prefix?: string | undefined;
  /** Pixels for the prefix and the number. */
  room?: number | undefined;
  isWrong?: boolean;
  describedBy?: string | undefined;
  disabled?: boolean | undefined;
}

/** More digits after the point are nobody's who presses arrows. */
const DIGITS = 6;
/** In pixels: of a letter before the number, of a figure, and of what two inputs in a row leave for both. */
const [LETTER, FIGURE, ROOM] = [6.5, 8.1, 53];

export function NumberField(props: NumberFieldProps) {
  const { id, text, limits = {}, step = 1, label, prefix, room = ROOM, isWrong = false, describedBy, disabled } = props;
  const isSigned = (limits.least ?? limits.above ?? -1) < 0;
  const goBy = (by: number): void => {
    const now = readEntered(text, language.value);
    const { least = -Infinity, most = Infinity } = limits;
    if (Number.isFinite(now)) props.onInput(entered(Math.min(most, Math.max(least, now + by)), DIGITS, language.value));
  };
  return (
    <span class="number">
      {/* A long number needs the whole input; its place says what it is. */}
      {prefix !== undefined && LETTER * prefix.length + FIGURE * text.length <= room && (
        <span class="number-prefix" aria-hidden="true">
          {prefix}
        </span>
      )}
      <input
        id={id}
        type="text"
        // Keys of figures alone have no minus on some phones.
        inputMode={isSigned ? 'text' : limits.whole === true ? 'numeric' : 'decimal'}
        autocomplete="off"
        aria-label={label}
        title={label}
        aria-invalid={isWrong || undefined}
        aria-describedby={describedBy}
        disabled={disabled}
        value={text}
        onInput={(event) => props.onInput(event.currentTarget.value)}
        onBlur={() => props.onDone()}
        onKeyDown={(event) => {
          if (event.key === 'Enter') props.onDone();
          else if (event.key === 'Escape') props.onGiveUp?.();
          else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
            goBy(event.key === 'ArrowUp' ? step : -step);
            event.preventDefault();
          }
        }}
      />
    </span>
  );
}
