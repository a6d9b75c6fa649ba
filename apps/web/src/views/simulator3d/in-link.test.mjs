import assert from 'node:assert/strict';
import { mock, test } from 'node:test';

import { effect, signal } from '@preact/signals';

import { USUAL_LOOKS } from './address.ts';
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
  const link = new InLink({ preset: signal(null), mostSteps: signal(1000), looks: signal({}), speed: signal(1), playing, save });
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

test('a preset at a step that no link goes to is linked to as it stands', async () => {
  globalThis.location = { href: 'http://localhost/#view=3d', hash: '#view=3d' };
  const where = { step: 1001, camera: null, selected: null };
  const asked = [];
  const save = (what) => {
    asked.push(what);
    return Promise.resolve({ text: '{"bodies": []}', whereabouts: where });
  };
  const link = new InLink({ preset: signal({ preset: 'gas', seed: 1 }), mostSteps: signal(1000), looks: signal(USUAL_LOOKS), speed: signal(1), playing: signal(false), save });
  link.follow({ ...where, step: 20 });
  const early = new URLSearchParams(new URL(await link.now()).hash.slice(1));
  assert.deepEqual([early.get('preset'), early.has('scene')], ['gas', false]);
  link.follow(where);
  const late = new URLSearchParams(new URL(await link.now()).hash.slice(1));
  assert.deepEqual([late.get('preset'), late.get('step'), late.has('scene')], [null, null, true]);
  assert.deepEqual(asked, ['whereabouts', 'scene']);
  link.close();
});
