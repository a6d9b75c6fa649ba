/**
 * Number input used by every form of the page.
 *
 * A text input instead of `type=number`, which writes a hyphen for a minus sign and a point where
 * the page's language has a comma. Arrow keys still increment and decrement.
 */
import { language } from '../i18n/translate.ts';
import { isPhone } from '../media.ts';
import { formatInput, parseInput } from '../i18n/number-format.ts';

/** Accepted range. */
export interface Limits {
  whole?: boolean | undefined;
  min?: number | undefined;
  max?: number | undefined;
  /** Exclusive lower bound. */
  above?: number | undefined;
}

interface NumberFieldProps {
  id: string;
  /** The input's text. */
  text: string;
  onInput: (text: string) => void;
  /** Enter or blur. */
  onDone: () => void;
  /** Escape. */
  onCancel?: () => void;
  limits?: Limits | undefined;
  /** Increment of the arrow keys. */
  step?: number;
  /** For an input that is not labeled by its row. */
  label?: string | undefined;
  /** Muted text inside the input. */
  prefix?: string | undefined;
  /** Width for prefix and number in pixels. */
  room?: number | undefined;
  isWrong?: boolean;
  describedBy?: string | undefined;
  disabled?: boolean | undefined;
}

/** Maximum digits after the decimal separator for arrow-key increments. */
const DIGITS = 6;
/**
 * Widths in pixels: of a prefix letter, of a digit (larger on phones), and of what two inputs leave
 * in a row.
 */
const [LETTER, FIGURE, PHONE_FIGURE, ROOM] = [6.5, 8.1, 9.9, 53];

export function NumberField(props: NumberFieldProps) {
  const { id, text, limits = {}, step = 1, label, prefix, room = ROOM, isWrong = false, describedBy, disabled } = props;
  const figure = isPhone.value ? PHONE_FIGURE : FIGURE;
  const isSigned = (limits.min ?? limits.above ?? -1) < 0;
  const goBy = (by: number): void => {
    const now = parseInput(text, language.value);
    const { min = -Infinity, max = Infinity } = limits;
    if (Number.isFinite(now)) props.onInput(formatInput(Math.min(max, Math.max(min, now + by)), DIGITS, language.value));
  };
  return (
    <span class="number">
      {/* A long number needs the whole input; its place says what it is. */}
      {prefix !== undefined && LETTER * prefix.length + figure * text.length <= room && (
        <span class="number-prefix" aria-hidden="true">
          {prefix}
        </span>
      )}
      <input
        id={id}
        type="text"
        // Numeric keypads have no minus key on some phones.
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
          else if (event.key === 'Escape') props.onCancel?.();
          else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
            goBy(event.key === 'ArrowUp' ? step : -step);
            event.preventDefault();
          }
        }}
      />
    </span>
  );
}
