/**
 * Packed image colors: one number, red in the lowest byte.
 *
 * This is the little-endian order of all platforms that run WebAssembly in a browser.
 */

const OPAQUE = 0xff000000;

export function packed(red: number, green: number, blue: number): number {
  return (OPAQUE | (blue << 16) | (green << 8) | red) >>> 0;
}

/** Red, green, blue. */
export function channels(color: number): [number, number, number] {
  return [color & 0xff, (color >>> 8) & 0xff, (color >>> 16) & 0xff];
}

/** Linear mix of two colors: `share` of `over`, the rest of `beneath`. */
export function mixed(beneath: number, over: number, share: number): number {
  const [below, above] = [channels(beneath), channels(over)];
  const mix = (channel: 0 | 1 | 2): number =>
    Math.round(below[channel] + (above[channel] - below[channel]) * share);
  return packed(mix(0), mix(1), mix(2));
}

/** Parses a CSS color with the browser's parser; `otherwise` if it is invalid or not opaque. */
export function parsed(context: CanvasFillStrokeStyles, css: string, otherwise: string): number {
  context.fillStyle = otherwise;
  context.fillStyle = css;
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/.exec(String(context.fillStyle));
  if (hex === null) return css === otherwise ? OPAQUE >>> 0 : parsed(context, otherwise, otherwise);
  const [, red = '', green = '', blue = ''] = hex;
  return packed(parseInt(red, 16), parseInt(green, 16), parseInt(blue, 16));
}

export function css(color: number): string {
  const [red, green, blue] = channels(color);
  return `rgb(${red} ${green} ${blue})`;
}
