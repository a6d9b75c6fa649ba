/** CSS colors as WebGL vectors. */

/** Red, green and blue, from 0 to 1. */
export type GlColor = readonly [number, number, number];

/** `#rrggbb` as in the style sheet, or `#rgb` as shortened by the build. */
export function toGlColor(css: string): GlColor {
  const digits = css.slice(1);
  const whole = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits;
  const number = Number.parseInt(whole, 16);
  return [((number >> 16) & 255) / 255, ((number >> 8) & 255) / 255, (number & 255) / 255];
}
