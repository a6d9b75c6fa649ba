/** What is in a PNG? Enough of the format to read what browsers write: 8 bits a channel, not interlaced. */

import { inflateSync } from 'node:zlib';

const SIGNATURE = '89504e470d0a1a0a';
/** Channels by colour type: grey, RGB, grey with alpha, RGBA. */
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
 * Each row is written as the difference from what its first byte says (PNG, section 9).
 *
 * @param {Buffer} rows
 * @param {number} width
 * @param {number} height
 * @param {number} channels
 */
function unfilter(rows, width, height, channels) {
  const length = width * channels;
  // What lies before the first byte of a row, and above the first row, counts as 0.
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
 * How many pixels are of this colour, give or take what blending and scaling do to it?
 *
 * @param {Picture} picture
 * @param {string} colour as `#rrggbb`
 */
export function pixelsOf({ data, channels }, colour, tolerance = 24) {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
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
 * How many different colours are there, not more than `enough`?
 *
 * @param {Picture} picture
 */
export function coloursIn({ data, channels }, enough = 64) {
  const colours = new Set();
  for (let at = 0; at < data.length && colours.size < enough; at += channels) {
    colours.add(data.readUIntBE(at, Math.min(3, channels)));
  }
  return colours.size;
}

/**
 * How many pixels differ between two pictures of the same size?
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
