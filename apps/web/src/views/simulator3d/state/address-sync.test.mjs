import assert from 'node:assert/strict';
import { mock, test } from 'node:test';

import { effect, signal } from '@preact/signals';

import { DEFAULT_DISPLAY } from './address.ts';
import { InLink } from './address-sync.ts';

/** Longer than the rest delay. */
const LONG_MS = 2000;

test('pausing an edited scene writes its JSON to the address, without a further report', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  globalThis.window = globalThis;
  const playing = signal(true);
  const saves = [];
  const save = (what) => {
    saves.push(what);
    return Promise.resolve(null);
  };
  const link = new InLink({ preset: signal(null), mostSteps: signal(1000), display: signal({}), speed: signal(1), comparison: signal(null), playing, save });
  const end = effect(() => link.awaitRest());
  mock.timers.tick(LONG_MS);
  link.know('{}', 5);
  link.follow({ step: 90, camera: null, selected: null });
  mock.timers.tick(LONG_MS);
  assert.deepEqual(saves, [], 'no requests while playing');
  playing.value = false;
  mock.timers.tick(LONG_MS);
  assert.deepEqual(saves, ['scene']);
  end();
  link.close();
});

test('a preset at a step beyond the limit is linked by its JSON', async () => {
  globalThis.location = { href: 'http://localhost/#view=3d', hash: '#view=3d' };
  const where = { step: 1001, camera: null, selected: null };
  const saves = [];
  const save = (what) => {
    saves.push(what);
    return Promise.resolve({ text: '{"bodies": []}', whereabouts: where });
  };
  const link = new InLink({ preset: signal({ preset: 'gas', seed: 1 }), mostSteps: signal(1000), display: signal(DEFAULT_DISPLAY), speed: signal(1), comparison: signal(null), playing: signal(false), save });
  link.follow({ ...where, step: 20 });
  const early = new URLSearchParams(new URL(await link.now()).hash.slice(1));
  assert.deepEqual([early.get('preset'), early.has('scene')], ['gas', false]);
  link.follow(where);
  const late = new URLSearchParams(new URL(await link.now()).hash.slice(1));
  assert.deepEqual([late.get('preset'), late.get('step'), late.has('scene')], [null, null, true]);
  assert.deepEqual(saves, ['whereabouts', 'scene']);
  link.close();
});
