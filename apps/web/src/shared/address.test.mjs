import assert from 'node:assert/strict';
import { mock, test } from 'node:test';

/** Minimal stand-in for the browser's location, history and timers. */
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

test('the address is written even if the state changes every frame', async () => {
  const writes = browse();
  mock.timers.enable({ apis: ['setTimeout'] });
  const { scheduleAddressWrite } = await import('./address.ts');
  for (let frame = 1; frame <= 120; frame += 1) {
    scheduleAddressWrite(() => new URLSearchParams({ n: frame < 30 ? '7' : '8' }));
    mock.timers.tick(16);
  }
  mock.timers.tick(1000);
  assert.deepEqual(writes, ['http://localhost/#n=7', 'http://localhost/#n=8'], 'an unchanged address is not written again');
  mock.timers.reset();
});

test('a history entry keeps the previous link, and the new entry has its own link at once', async () => {
  const writes = browse();
  mock.timers.enable({ apis: ['setTimeout'] });
  const { pushHistoryEntry, scheduleAddressWrite } = await import('./address.ts');
  scheduleAddressWrite(() => new URLSearchParams({ n: '2' }));
  assert.ok(pushHistoryEntry('http://localhost/#n=1'));
  mock.timers.tick(1000);
  assert.deepEqual(writes, ['http://localhost/#n=2', 'http://localhost/#n=1', 'another: http://localhost/#n=2']);
  assert.equal(pushHistoryEntry('http://localhost/#n=2'), false, 'no entry for the same link');

  scheduleAddressWrite(() => new URLSearchParams({ n: '3' }));
  globalThis.location.href = 'http://localhost/#n=9';
  assert.equal(pushHistoryEntry('http://localhost/#n=2'), false, 'the user has just navigated');
  assert.equal(writes.length, 3);
  mock.timers.tick(1000);
  mock.timers.reset();
});
