import assert from 'node:assert/strict';
import { mock, test } from 'node:test';

import { effect, signal } from '@preact/signals';

import { InLink } from './in-link.ts';

/** Longer than a world has to rest. */
const LONG_MS = 2000;

test('who pauses a scene of their own gets its words into the address, though no step is told any more', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  globalThis.window = globalThis;
  const playing = signal(true);
  const asked = [];
  const save = (what) => {
    asked.push(what);
    return Promise.resolve(null);
  };
  const link = new InLink({ preset: signal(null), looks: signal({}), speed: signal(1), playing, save });
  const end = effect(() => link.awaitRest());
  mock.timers.tick(LONG_MS);
  link.know('{}', 5);
  link.follow({ step: 90, camera: null, selected: null });
  mock.timers.tick(LONG_MS);
  assert.deepEqual(asked, [], 'while it plays the address would change without end');
  playing.value = false;
  mock.timers.tick(LONG_MS);
  assert.deepEqual(asked, ['scene']);
  end();
  link.close();
});
