import assert from 'node:assert/strict';
import { test } from 'node:test';

import { effect, signal } from '@preact/signals';

globalThis.window = { innerHeight: 800, setTimeout: () => 0, clearTimeout: () => undefined };
globalThis.document = { documentElement: {}, body: null, activeElement: null };
const { say, tell } = await import('./status.tsx');

test('an effect that says something runs again for its own reasons alone, not for what is shown or said meanwhile', () => {
  const going = signal(1);
  let runs = 0;
  const end = effect(() => {
    runs += 1;
    return say(() => `going to ${going.peek()}`);
  });
  tell(() => 'copied');
  tell(() => 'copied');
  say(() => 'paused');
  assert.equal(runs, 1);
  end();
});
