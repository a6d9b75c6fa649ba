/**
 * How is a number written for people?
 *
 * By the rules of the language, with a true minus sign. Columns of figures stay still because the
 * number of digits is fixed by the caller and the digits are of one width.
 */
import type { Language } from './i18n.ts';

/** What is written where there is no number. */
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
  // Intl writes a hyphen, which is shorter than a plus and jumps in a column; nothing is less than nothing.
  return format.format(value).replace('-', '−');
}

/** As exact as is readable: at most three digits after the point. */
export function plain(value: number, language: Language): string {
  return write(value, language, { maximumFractionDigits: 3 });
}

export function fixed(value: number, digits: number, language: Language): string {
  return write(value, language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** As it is typed: at most so many digits after the point, and nothing between the thousands. */
export function entered(value: number, digits: number, language: Language): string {
  return Number.isFinite(value) ? write(value, language, { maximumFractionDigits: digits, useGrouping: false }) : '';
}

/** Thousands, set apart as each language does it. Nobody sets three digits apart from a zero. */
const GROUPED: Record<Language, RegExp> = {
  en: /^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/,
  'pt-BR': /^[+-]?[1-9]\d{0,2}(\.\d{3})+(,\d*)?$/,
};

/** One point and three digits after it, where the point sets thousands apart and many type it for the comma. */
const EITHER = /^[+-]?[1-9]\d{0,2}\.\d{3}$/;

/** What `entered` wrote, or a person: either minus, and points and commas as the language has them. Not a number if it is none, or if it may be two. */
export function readEntered(text: string, language: Language): number {
  const typed = cleaned(text);
  if (twoReadings(typed, language) !== null) {
    return Number.NaN;
  }
  const between = language === 'pt-BR' ? '.' : ',';
  const plain = GROUPED[language].test(typed) ? typed.replaceAll(between, '') : typed;
  const pointed = language === 'pt-BR' ? plain.replace(',', '.') : plain;
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(pointed) ? Number(pointed) : Number.NaN;
}

/**
 * Both numbers that this may be: in Portuguese 9.807 is a number of thousands by the book, and a decimal to whoever
 * pastes one. A thousandfold is not to be guessed. English never has a comma before decimals, so there 9,807 is one number.
 */
export function twoReadings(text: string, language: Language): readonly [number, number] | null {
  const typed = cleaned(text);
  return language === 'pt-BR' && EITHER.test(typed) ? [Number(typed.replace('.', '')), Number(typed)] : null;
}

function cleaned(text: string): string {
  return text.trim().replaceAll('−', '-');
}

/** So many digits that say something, without an exponent. */
export function significant(value: number, digits: number, language: Language): string {
  return write(value, language, { maximumSignificantDigits: digits });
}

/** A mean of counts: whole where it is large, with digits where they matter. */
export function mean(value: number, language: Language): string {
  return fixed(value, value >= 10_000 ? 0 : value >= 100 ? 1 : 2, language);
}

/** A share of one, in whole percent and never more than there is. */
export function percent(share: number, language: Language): string {
  return write(Math.floor(share * 100) / 100, language, { style: 'percent' });
}

/** How far from `reference`, with its sign. */
export function difference(value: number, reference: number, language: Language): string {
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

/** A time to wait, not more exact than a guess is: seconds by fives, then minutes, then hours. */
export function duration(ms: number, language: Language): string {
  const seconds = Math.ceil(ms / 5000) * 5;
  if (seconds < 60) {
    return `${plain(seconds, language)} s`;
  }
  const minutes = Math.round(ms / 60_000);
  return minutes < 90 ? `${plain(minutes, language)} min` : `${fixed(ms / 3_600_000, 1, language)} h`;
}

/** The same in both languages; Intl would write "0 byte" in one and "0 B" in the other. */
const UNITS = ['B', 'kB', 'MB', 'GB'];

export function bytes(count: number, language: Language): string {
  let value = count;
  let step = 0;
  while (value >= 1000 && step < UNITS.length - 1) {
    value /= 1000;
    step += 1;
  }
  const digits = step === 0 || value >= 100 ? 0 : 1;
  return `${fixed(value, digits, language)} ${UNITS[step] ?? ''}`;
}
