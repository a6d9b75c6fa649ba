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
    pushState: (_state, _title, link) => {
      writes.push(`another: ${link}`);
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
  mock.timers.tick(1000);
  assert.deepEqual(writes, ['http://localhost/#n=7', 'http://localhost/#n=8'], 'and what did not change is not written again');
  mock.timers.reset();
});

test('what is left stays in the history with its own link, and what is shown has its own at once', async () => {
  const writes = browse();
  mock.timers.enable({ apis: ['setTimeout'] });
  const { leaveInHistory, writeAddress } = await import('./address.ts');
  writeAddress(() => new URLSearchParams({ n: '2' }));
  assert.ok(leaveInHistory('http://localhost/#n=1'));
  mock.timers.tick(1000);
  assert.deepEqual(writes, ['http://localhost/#n=2', 'http://localhost/#n=1', 'another: http://localhost/#n=2']);
  assert.equal(leaveInHistory('http://localhost/#n=2'), false, 'there is nothing to go back to');

  writeAddress(() => new URLSearchParams({ n: '3' }));
  globalThis.location.href = 'http://localhost/#n=9';
  assert.equal(leaveInHistory('http://localhost/#n=2'), false, 'the reader has just gone elsewhere');
  assert.equal(writes.length, 3);
  mock.timers.tick(1000);
  mock.timers.reset();
});
