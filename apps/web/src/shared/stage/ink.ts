/** Which colour is it, as WebGL wants it? */

/** Red, green and blue, from 0 to 1. */
export type Ink = readonly [number, number, number];

/** `#rrggbb`, as the page's colours are written, or `#rgb`, as the build shortens them. */
export function inkOf(css: string): Ink {
  const digits = css.slice(1);
  const whole = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits;
  const number = Number.parseInt(whole, 16);
  return [((number >> 16) & 255) / 255, ((number >> 8) & 255) / 255, (number & 255) / 255];
}
