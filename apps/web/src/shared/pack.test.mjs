import assert from 'node:assert/strict';
import { test } from 'node:test';

import { pack, unpack } from './pack.ts';

test('a text comes back from a link as it was, in letters that an address may hold', async () => {
  for (const text of ['', 'x', '{"bodies": []}', 'Dzhanibekov’s é 漢 😀'.repeat(200)]) {
    const packed = await pack(text);
    assert.match(packed, /^[\w-]*$/);
    assert.equal(await unpack(packed), text);
  }
});

test('what was not packed is refused', async () => {
  for (const bad of ['!!', 'AAAA', 'zzzzzzzzzzzz']) await assert.rejects(unpack(bad));
});

test('a few letters that would grow to gigabytes are refused before they do', async () => {
  const bomb = await new Response(
    new Blob([new Uint8Array(80e6)]).stream().pipeThrough(new CompressionStream('deflate-raw')),
  ).arrayBuffer();
  assert.ok(bomb.byteLength < 1e5);
  await assert.rejects(unpack(Buffer.from(bomb).toString('base64url')), /too long/);
});
