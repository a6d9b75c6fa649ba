import assert from 'node:assert/strict';
import { test } from 'node:test';

import { EngineLifecycle } from '../../../shared/stage/engine-lifecycle.ts';
import { engineError } from './edits.ts';

test('a trap during an edit is an engine failure, reported once, not a rejected edit', async () => {
  const trap = new WebAssembly.RuntimeError('unreachable');
  assert.throws(() => engineError(trap), trap);
  const heard = [];
  const lifecycle = new EngineLifecycle(async () => ({ lastPanic: () => '' }), {
    begin: () => undefined,
    act: () => {
      try {
        throw trap;
      } catch (error) {
        heard.push(engineError(error));
      }
    },
    ended: () => heard.push('ended'),
    failed: (message) => heard.push(message),
  });
  lifecycle.receive('push');
  lifecycle.receive('push');
  await new Promise((resolve) => setTimeout(resolve));
  assert.deepEqual(heard, ['ended', 'RuntimeError: unreachable']);
});
