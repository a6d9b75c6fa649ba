/**
 * Number formatting and parsing in the user's language.
 *
 * With a true minus sign. The caller fixes the number of digits and digits are tabular, so that
 * columns do not jump.
 */
import type { Language } from './translate.ts';

/** Placeholder for a missing value. */
export const NO_VALUE = '–';

const formats = new Map<string, Intl.NumberFormat>();

function write(value: number, language: Language, options: Intl.NumberFormatOptions): string {
  if (!Number.isFinite(value)) {
    return NO_VALUE;
  }
  const name = `${language} ${JSON.stringify(options)}`;
  let format = formats.get(name);
  if (format === undefined) {
    format = new Intl.NumberFormat(language, { signDisplay: 'negative', ...options });
    formats.set(name, format);
  }
  // Intl writes a hyphen, which is narrower than a plus sign and shifts columns; negative zero is
  // written as zero.
  return format.format(value).replace('-', '−');
}

/** At most three digits after the decimal separator. */
export function formatNumber(value: number, language: Language): string {
  return write(value, language, { maximumFractionDigits: 3 });
}

export function formatFixed(value: number, digits: number, language: Language): string {
  return write(value, language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/**
 * For an input field: at most `digits` digits after the decimal separator, no thousands separators.
 */
export function formatInput(value: number, digits: number, language: Language): string {
  return Number.isFinite(value) ? write(value, language, { maximumFractionDigits: digits, useGrouping: false }) : '';
}

/** Thousands separators of each language. A number that starts with zero is never grouped. */
const GROUPED: Record<Language, RegExp> = {
  en: /^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/,
  'pt-BR': /^[+-]?[1-9]\d{0,2}(\.\d{3})+(,\d*)?$/,
};

/**
 * One point followed by three digits: in a language whose thousands separator is the point, users
 * also type it for the decimal comma.
 */
const EITHER = /^[+-]?[1-9]\d{0,2}\.\d{3}$/;

/**
 * Parses input written by `formatInput` or by a user: hyphen or minus sign, thousands separators of
 * the language, and a decimal point or comma in either. NaN if it is no number or ambiguous.
 */
export function parseInput(text: string, language: Language): number {
  const typed = cleaned(text);
  if (ambiguousReadings(typed, language) !== null) {
    return Number.NaN;
  }
  const between = language === 'pt-BR' ? '.' : ',';
  const plain = GROUPED[language].test(typed) ? typed.replaceAll(between, '') : typed;
  const pointed = plain.replace(',', '.');
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(pointed) ? Number(pointed) : Number.NaN;
}

/**
 * Both readings of an ambiguous number: in Portuguese, 9.807 is formally 9807 but 9.807 when pasted
 * from English text. The page does not guess across a factor of 1000. In English, 9,807 is 9807:
 * English text has no decimal comma.
 */
export function ambiguousReadings(text: string, language: Language): readonly [number, number] | null {
  const typed = cleaned(text);
  return language === 'pt-BR' && EITHER.test(typed) ? [Number(typed.replace('.', '')), Number(typed)] : null;
}

function cleaned(text: string): string {
  return text.trim().replaceAll('−', '-');
}

/** `digits` significant digits, without an exponent. */
export function formatSignificant(value: number, digits: number, language: Language): string {
  return write(value, language, { maximumSignificantDigits: digits });
}

/** A mean of counts: integral if large, with decimals if small. */
export function formatMean(value: number, language: Language): string {
  return formatFixed(value, value >= 10_000 ? 0 : value >= 100 ? 1 : 2, language);
}

/** A ratio in whole percent, rounded down. */
export function formatPercent(share: number, language: Language): string {
  return write(Math.floor(share * 100) / 100, language, { style: 'percent' });
}

/** A ratio in percent with a fixed number of decimals. */
export function formatShare(share: number, digits: number, language: Language): string {
  return write(share, language, { style: 'percent', minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Signed relative difference from `reference`. */
export function formatDifference(value: number, reference: number, language: Language): string {
  if (reference === 0) {
    return NO_VALUE;
  }
  const share = value / reference - 1;
  const digits = Math.abs(share) >= 1 ? 0 : 1;
  return write(share, language, {
    style: 'percent',
    signDisplay: 'exceptZero',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

/**
 * An estimated duration, rounded to its precision: seconds in steps of five, then minutes, then
 * hours.
 */
export function formatDuration(ms: number, language: Language): string {
  const seconds = Math.ceil(ms / 5000) * 5;
  if (seconds < 60) {
    return `${formatNumber(seconds, language)} s`;
  }
  const minutes = Math.round(ms / 60_000);
  return minutes < 90 ? `${formatNumber(minutes, language)} min` : `${formatFixed(ms / 3_600_000, 1, language)} h`;
}

/** The same in both languages; Intl writes "0 byte" in one and "0 B" in the other. */
const UNITS = ['B', 'kB', 'MB', 'GB'];

export function formatBytes(count: number, language: Language): string {
  let value = count;
  let step = 0;
  while (value >= 1000 && step < UNITS.length - 1) {
    value /= 1000;
    step += 1;
  }
  const digits = step === 0 || value >= 100 ? 0 : 1;
  return `${formatFixed(value, digits, language)} ${UNITS[step] ?? ''}`;
}
