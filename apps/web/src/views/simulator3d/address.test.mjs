import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import { tab } from '../../../tests/harness/tab.mjs';
import { isTooLarge, packedScene, read, USUAL_LOOKS, write } from './address.ts';
import { keep } from './kept.ts';

const CATALOGUE = { presets: [{ name: 'ramp' }, { name: 'gas' }], mostSteps: 300_000 };
const SHOWN = { looks: USUAL_LOOKS, speed: 1, step: 0, camera: null, selected: null };

beforeEach(() => {
  globalThis.sessionStorage = tab();
});

test('what is written is read again: scene, step, looks, speed, camera and what is selected', async () => {
  const shown = { looks: { ...USUAL_LOOKS, depth: 2, colouring: 'speed' }, speed: 0.25, step: 300, camera: [0.5, -0.25, 12, 1, 2, -3], selected: 7 };
  const told = await read(write({ preset: 'gas', seed: 5 }, null, shown), CATALOGUE);
  assert.deepEqual(told, { source: { preset: 'gas', seed: 5 }, shown, unreadable: [], isLost: false });
  const text = '{"bodies": []}';
  const own = await read(write(null, await packedScene(text), { ...shown, step: 0 }), CATALOGUE);
  assert.deepEqual(own.source, { text, name: 'link' });
});

test('a scene that no link can hold is found in the tab that kept it, and lost in any other', async () => {
  const text = Array.from({ length: 40_000 }, () => Math.random()).join();
  const name = await packedScene(text);
  assert.ok(isTooLarge(name) && name.length < 40, name);
  keep(name, text);
  const here = await read(write(null, name, SHOWN), CATALOGUE);
  assert.deepEqual([here.source, here.isLost], [{ text, name: 'scene' }, false]);

  globalThis.sessionStorage = tab(100);
  keep(name, 'small');
  // Too much for the tab: what it kept before would be another scene.
  keep(name, text);
  const there = await read(write(null, name, SHOWN), CATALOGUE);
  assert.deepEqual([there.source, there.isLost], [{ preset: 'ramp', seed: 1 }, true]);
});

test('a tab that kept another scene does not show it for the one that the link means', async () => {
  const [one, other] = [0, 1].map(() => Array.from({ length: 40_000 }, () => Math.random()).join());
  const [first, second] = await Promise.all([packedScene(one), packedScene(other)]);
  assert.notEqual(first, second);
  keep(second, other);
  const told = await read(write(null, first, SHOWN), CATALOGUE);
  assert.deepEqual([told.source, told.isLost], [{ preset: 'ramp', seed: 1 }, true]);
  const own = await read(write(null, second, SHOWN), CATALOGUE);
  assert.deepEqual([own.source, own.isLost], [{ text: other, name: 'scene' }, false]);
});

test('what is out of its range is named, and the rest is taken', async () => {
  const address = new URLSearchParams('view=3d&preset=gas&step=-1&speed=3&camera=1,2,x,4,5,6&selected=1.5&seed=9&tower=1');
  const told = await read(address, CATALOGUE);
  assert.deepEqual(told.source, { preset: 'gas', seed: 9 });
  assert.deepEqual(told.shown, SHOWN);
  assert.deepEqual(told.unreadable.toSorted(), ['camera', 'selected', 'speed', 'step', 'tower']);
});

/** They were read as zeros, and nobody was told. */
test('a camera of six nothings is none', async () => {
  const told = await read(new URLSearchParams('view=3d&camera=,,,,,'), CATALOGUE);
  assert.deepEqual([told.shown.camera, told.unreadable], [null, ['camera']]);
});
