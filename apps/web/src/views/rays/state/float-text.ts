/**
 * Text of f32 numbers that the command line parses to the same bits.
 *
 * Displayed values, links and commands contain the same digits.
 */
import type { Vector } from '../../../shared/vector.ts';

/** Sufficient for every f32. */
const MAX_DIGITS = 9;

/** The shortest decimal that rounds to the same f32. */
export function f32Text(value: number): string {
  const wanted = Math.fround(value);
  for (let digits = 1; digits < MAX_DIGITS; digits += 1) {
    const short = Number(wanted.toPrecision(digits));
    if (Math.fround(short) === wanted) return String(short);
  }
  return String(Number(wanted.toPrecision(MAX_DIGITS)));
}

/** In the command line's format. */
export function f32List(numbers: readonly number[]): string {
  return numbers.map(f32Text).join(',');
}

/** The largest power of ten up to about a thousandth of `size`: the precision of pointing. */
export function unitFor(size: number): number {
  return 10 ** (Math.floor(Math.log10(Math.max(size, 1e-30))) - 3);
}

/** The vector rounded to multiples of `unit`. */
export function rounded(vector: readonly number[], unit: number): Vector {
  const digits = Math.max(0, -Math.round(Math.log10(unit)));
  return vector.map((number) => {
    const short = digits > 20 ? number : Number((Math.round(number / unit) * unit).toFixed(digits));
    return Number(f32Text(short === 0 ? 0 : short));
  }) as Vector;
}
