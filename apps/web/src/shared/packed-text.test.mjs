import assert from 'node:assert/strict';
import { test } from 'node:test';

import { pack, unpack } from './packed-text.ts';

test('a packed text is URL-safe and unpacks to the same text', async () => {
  for (const text of ['', 'x', '{"bodies": []}', 'Dzhanibekov’s é 漢 😀'.repeat(200)]) {
    const packed = await pack(text);
    assert.match(packed, /^[\w-]*$/);
    assert.equal(await unpack(packed), text);
  }
});

test('text that was not packed is rejected', async () => {
  for (const bad of ['!!', 'AAAA', 'zzzzzzzzzzzz']) await assert.rejects(unpack(bad));
});

test('a zip bomb is rejected before it expands', async () => {
  const bomb = await new Response(
    new Blob([new Uint8Array(80e6)]).stream().pipeThrough(new CompressionStream('deflate-raw')),
  ).arrayBuffer();
  assert.ok(bomb.byteLength < 1e5);
  await assert.rejects(unpack(Buffer.from(bomb).toString('base64url')), /too long/);
});
