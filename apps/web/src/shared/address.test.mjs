import assert from 'node:assert/strict';
import { mock, test } from 'node:test';

/** As much of a browser as an address needs. */
function browse() {
  const writes = [];
  globalThis.window = globalThis;
  globalThis.location = { href: 'http://localhost/#', hash: '' };
  globalThis.history = {
    state: null,
    replaceState: (_state, _title, link) => {
      writes.push(link);
      globalThis.location.href = link;
    },
  };
  return writes;
}

test('the address is written though something changes at every frame', async () => {
  const writes = browse();
  mock.timers.enable({ apis: ['setTimeout'] });
  const { writeAddress } = await import('./address.ts');
  for (let frame = 1; frame <= 120; frame += 1) {
    writeAddress(() => new URLSearchParams({ n: frame < 30 ? '7' : '8' }));
    mock.timers.tick(16);
  }
  assert.deepEqual(writes, ['http://localhost/#n=7', 'http://localhost/#n=8'], 'and what did not change is not written again');
  mock.timers.reset();
});
