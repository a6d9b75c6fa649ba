/**
 * How is a number of the engine written, so that the command line reads the same bits?
 *
 * The engine has 24 bits of a number. What the reader sees, what a link holds and what a command says are the same digits.
 */
import type { Vector } from '../../shared/vector.ts';

/** No number of 24 bits needs more. */
const MOST_DIGITS = 9;

/** The shortest digits that are this number again for the engine. */
export function exact(value: number): string {
  const wanted = Math.fround(value);
  for (let digits = 1; digits < MOST_DIGITS; digits += 1) {
    const short = Number(wanted.toPrecision(digits));
    if (Math.fround(short) === wanted) return String(short);
  }
  return String(Number(wanted.toPrecision(MOST_DIGITS)));
}

/** As `embate` takes it. */
export function exactList(numbers: readonly number[]): string {
  return numbers.map(exact).join(',');
}

/** A power of ten that is about a thousandth of this, or less: nobody points more exactly. */
export function unitFor(size: number): number {
  return 10 ** (Math.floor(Math.log10(Math.max(size, 1e-30))) - 3);
}

/** Short numbers that say the same, to the eye. */
export function rounded(vector: readonly number[], unit: number): Vector {
  const digits = Math.max(0, -Math.round(Math.log10(unit)));
  return vector.map((number) => {
    const short = digits > 20 ? number : Number((Math.round(number / unit) * unit).toFixed(digits));
    return Number(exact(short === 0 ? 0 : short));
  }) as Vector;
}
