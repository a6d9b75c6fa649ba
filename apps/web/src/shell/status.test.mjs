import assert from 'node:assert/strict';
import { test } from 'node:test';

import { effect, signal } from '@preact/signals';

globalThis.window = { innerHeight: 800, setTimeout: () => 0, clearTimeout: () => undefined };
globalThis.document = { documentElement: {}, body: null, activeElement: null };
const { announce, clearMessages, showToast, Status } = await import('./status.tsx');

/** Text of the live region. */
const spokenText = () => Status().props.children[0].props.children.value;

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

test('the end of a long run outlasts its view, and later messages wait for it', () => {
  const { setTimeout } = globalThis.window;
  const timers = [];
  Object.assign(globalThis.window, { setTimeout: (call) => timers.push(call) });
  const now = performance.now.bind(performance);
  let seconds = 1000;
  performance.now = () => now() + seconds * 1000;
  announce(() => 'paused');
  announce(() => 'study finished', { isNews: true });
  announce(() => 'saved');
  clearMessages();
  assert.equal(spokenText(), 'study finished');
  announce(() => 'view opened');
  announce(() => 'step 1');
  assert.equal(spokenText(), 'study finished');
  seconds += 3;
  timers.at(-1)();
  assert.equal(spokenText(), 'step 1', 'of other messages the latest wins');
  performance.now = now;
  Object.assign(globalThis.window, { setTimeout });
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
