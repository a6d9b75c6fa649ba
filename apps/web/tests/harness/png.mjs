/** PNG decoder, sufficient for screenshots: 8 bits per channel, not interlaced. */

import { inflateSync } from 'node:zlib';

const SIGNATURE = '89504e470d0a1a0a';
/** Number of channels by color type: gray, RGB, gray with alpha, RGBA. */
const CHANNELS = new Map([[0, 1], [2, 3], [4, 2], [6, 4]]);

/**
 * @typedef {object} Picture
 * @property {number} width
 * @property {number} height
 * @property {number} channels
 * @property {Buffer} data row by row from the top, `channels` bytes a pixel
 */

/**
 * @param {Buffer} file
 * @returns {Picture}
 */
export function decodePng(file) {
  if (file.subarray(0, 8).toString('hex') !== SIGNATURE) {
    throw new Error('not a PNG');
  }
  const packed = [];
  let [width, height, channels] = [0, 0, 0];
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at);
    const kind = file.toString('latin1', at + 4, at + 8);
    const body = file.subarray(at + 8, at + 8 + length);
    if (kind === 'IHDR') {
      [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
      channels = CHANNELS.get(body[9] ?? -1) ?? 0;
      if (body[8] !== 8 || body[12] !== 0 || channels === 0) {
        throw new Error('a PNG of a kind that browsers do not write');
      }
    }
    if (kind === 'IDAT') {
      packed.push(body);
    }
    at += 12 + length;
  }
  return { width, height, channels, data: unfilter(inflateSync(Buffer.concat(packed)), width, height, channels) };
}

/**
 * Each row is filtered as given by its first byte (PNG, section 9).
 *
 * @param {Buffer} rows
 * @param {number} width
 * @param {number} height
 * @param {number} channels
 */
function unfilter(rows, width, height, channels) {
  const length = width * channels;
  // Bytes before the first one of a row, and above the first row, are 0.
  let above = new Uint8Array(channels + length);
  const data = Buffer.alloc(length * height);
  for (let row = 0; row < height; row += 1) {
    const from = row * (length + 1);
    const guess = GUESSES[rows[from] ?? 0] ?? none;
    const now = new Uint8Array(channels + length);
    for (let place = channels; place < now.length; place += 1) {
      const before = place - channels;
      now[place] = (rows[from + 1 + before] ?? 0) + guess(now[before] ?? 0, above[place] ?? 0, above[before] ?? 0);
    }
    data.set(now.subarray(channels), row * length);
    above = now;
  }
  return data;
}

/** @typedef {(left: number, above: number, corner: number) => number} Guess */

/** @type {Guess} */
const none = () => 0;

/** @type {Guess[]} */
const GUESSES = [none, (left) => left, (_, above) => above, (left, above) => (left + above) >> 1, paeth];

/** @type {Guess} */
function paeth(left, above, corner) {
  const guess = left + above - corner;
  const byLeft = Math.abs(guess - left);
  const byAbove = Math.abs(guess - above);
  const byCorner = Math.abs(guess - corner);
  if (byLeft <= byAbove && byLeft <= byCorner) {
    return left;
  }
  return byAbove <= byCorner ? above : corner;
}

/**
 * Number of pixels of this color, with a tolerance for blending and scaling.
 *
 * @param {Picture} picture
 * @param {string} color as `#rrggbb`
 */
export function pixelsOf({ data, channels }, color, tolerance = 24) {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  let found = 0;
  for (let at = 0; at < data.length; at += channels) {
    const away = Math.max(
      Math.abs((data[at] ?? 0) - red),
      Math.abs((data[at + 1] ?? 0) - green),
      Math.abs((data[at + 2] ?? 0) - blue),
    );
    found += away <= tolerance ? 1 : 0;
  }
  return found;
}

/**
 * Number of distinct colors, at most `enough`.
 *
 * @param {Picture} picture
 */
export function distinctColors({ data, channels }, enough = 64) {
  const colors = new Set();
  for (let at = 0; at < data.length && colors.size < enough; at += channels) {
    colors.add(data.readUIntBE(at, Math.min(3, channels)));
  }
  return colors.size;
}

/**
 * Number of differing pixels of two pictures of the same size.
 *
 * @param {Picture} one
 * @param {Picture} other
 */
export function pixelsChanged(one, other) {
  if (one.data.length !== other.data.length) {
    return Infinity;
  }
  let changed = 0;
  for (let at = 0; at < one.data.length; at += one.channels) {
    changed += one.data.compare(other.data, at, at + one.channels, at, at + one.channels) === 0 ? 0 : 1;
  }
  return changed;
}
