import assert from 'node:assert/strict';
import { test } from 'node:test';

import { effect, signal } from '@preact/signals';

globalThis.window = { innerHeight: 800, setTimeout: () => 0, clearTimeout: () => undefined };
globalThis.document = { documentElement: {}, body: null, activeElement: null };
const { announce, showToast } = await import('./status.tsx');

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
