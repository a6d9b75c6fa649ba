import assert from 'node:assert/strict';
import { test } from 'node:test';

import { effect, signal } from '@preact/signals';

globalThis.window = { innerHeight: 800, setTimeout: () => 0, clearTimeout: () => undefined };
globalThis.document = { documentElement: {}, body: null, activeElement: null };
const { announce, clearMessages, showToast } = await import('./status.tsx');

test('an effect that announces does not subscribe to the message’s signals', () => {
  const going = signal(1);
  let runs = 0;
  const end = effect(() => {
    runs += 1;
    return announce(() => `going to ${going.peek()}`);
  });
  showToast(() => 'copied');
  showToast(() => 'copied');
  announce(() => 'paused');
  assert.equal(runs, 1);
  end();
});

test('messages are removed when the view is left, also one that is not announced yet', () => {
  const { clearTimeout } = globalThis.window;
  const cleared = [];
  Object.assign(globalThis.window, { setTimeout: () => 7, clearTimeout: (timer) => cleared.push(timer) });
  showToast(() => 'saved');
  announce(() => 'paused');
  clearMessages();
  assert.ok(cleared.includes(7), 'the waiting message');
  Object.assign(globalThis.window, { clearTimeout });
});
