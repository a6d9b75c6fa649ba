/** Text packed for a link: deflated, in URL-safe base64. */

/**
 * Maximum size of an unpacked text: larger is no scene and was not packed by this page, though a
 * few letters can expand to it (zip bomb).
 */
export const MAX_BYTES = 64e6;

export async function pack(text: string): Promise<string> {
  const packed = new Uint8Array(await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw')));
  let letters = '';
  for (const byte of packed) letters += String.fromCharCode(byte);
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Rejects text that was not packed by this page, before it has grown large. */
export async function unpack(packed: string): Promise<string> {
  const letters = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  return new TextDecoder('utf-8', { fatal: true }).decode(await through(bytes, new DecompressionStream('deflate-raw')));
}

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<ArrayBuffer> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    length += part.value.length;
    if (length > MAX_BYTES) {
      await reader.cancel();
      throw new RangeError('the text is too long');
    }
    parts.push(part.value);
  }
  return new Blob(parts).arrayBuffer();
}
