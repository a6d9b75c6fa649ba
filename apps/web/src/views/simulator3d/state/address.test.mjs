import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import { tab } from '../../../../tests/harness/session-storage.mjs';
import { isTooLarge, packedScene, read, DEFAULT_DISPLAY, write } from './address.ts';
import { storeScene } from './scene-storage.ts';

const CATALOG = { presets: [{ name: 'ramp' }, { name: 'gas' }], mostSteps: 300_000 };
const SHOWN = { display: DEFAULT_DISPLAY, speed: 1, step: 0, camera: null, selected: null, comparison: null };

beforeEach(() => {
  globalThis.sessionStorage = tab();
});

test('scene, step, display options, speed, camera and selection survive a round trip', async () => {
  const shown = { display: { ...DEFAULT_DISPLAY, depth: 2, coloring: 'speed' }, speed: 0.25, step: 300, camera: [0.5, -0.25, 12, 1, 2, -3], selected: 7, comparison: null };
  const parsed = await read(write({ preset: 'gas', seed: 5 }, null, shown), CATALOG);
  assert.deepEqual(parsed, { source: { preset: 'gas', seed: 5 }, shown, invalid: [], isLost: false });
  const text = '{"bodies": []}';
  const own = await read(write(null, await packedScene(text), { ...shown, step: 0 }), CATALOG);
  assert.deepEqual(own.source, { text, name: 'link' });
});

test('a scene too large for a link is restored in its tab, and lost in any other', async () => {
  const text = Array.from({ length: 40_000 }, () => Math.random()).join();
  const name = await packedScene(text);
  assert.ok(isTooLarge(name) && name.length < 40, name);
  storeScene(name, text);
  const here = await read(write(null, name, SHOWN), CATALOG);
  assert.deepEqual([here.source, here.isLost], [{ text, name: 'scene' }, false]);

  globalThis.sessionStorage = tab(100);
  storeScene(name, 'small');
  // Exceeds the session storage: earlier scenes are dropped.
  storeScene(name, text);
  const there = await read(write(null, name, SHOWN), CATALOG);
  assert.deepEqual([there.source, there.isLost], [{ preset: 'ramp', seed: 1 }, true]);
});

test('a tab with another stored scene does not show it for the link’s scene', async () => {
  const [one, other] = [0, 1].map(() => Array.from({ length: 40_000 }, () => Math.random()).join());
  const [first, second] = await Promise.all([packedScene(one), packedScene(other)]);
  assert.notEqual(first, second);
  storeScene(second, other);
  const parsed = await read(write(null, first, SHOWN), CATALOG);
  assert.deepEqual([parsed.source, parsed.isLost], [{ preset: 'ramp', seed: 1 }, true]);
  const own = await read(write(null, second, SHOWN), CATALOG);
  assert.deepEqual([own.source, own.isLost], [{ text: other, name: 'scene' }, false]);
});

test('out-of-range parameters are reported, and the rest is applied', async () => {
  const address = new URLSearchParams('view=3d&preset=gas&step=-1&speed=3&camera=1,2,x,4,5,6&selected=1.5&seed=9&tower=1');
  const parsed = await read(address, CATALOG);
  assert.deepEqual(parsed.source, { preset: 'gas', seed: 9 });
  assert.deepEqual(parsed.shown, SHOWN);
  assert.deepEqual(parsed.invalid.toSorted(), ['camera', 'selected', 'speed', 'step', 'tower']);
});

/** Empty components were parsed as zeros, silently. */
test('a camera of six empty components is rejected', async () => {
  const parsed = await read(new URLSearchParams('view=3d&camera=,,,,,'), CATALOG);
  assert.deepEqual([parsed.shown.camera, parsed.invalid], [null, ['camera']]);
});

test('a comparison survives a round trip, and an unknown method is reported', async () => {
  const catalog = { ...CATALOG, broadPhases: [{ name: 'auto' }, { name: 'octree' }], responses: [{ name: 'impulse' }, { name: 'elastic' }], integrators: [{ name: 'semi-implicit-euler' }, { name: 'verlet' }] };
  const study = { method: { solver: 'baseline', broad_phase: 'octree', integrator: 'verlet', response: 'elastic' }, from: 40 };
  const written = write({ preset: 'gas', seed: 5 }, null, { ...SHOWN, step: 100, comparison: study });
  assert.deepEqual([written.get('compare'), written.get('compare-from')], ['baseline,octree,elastic,verlet', '40']);
  assert.deepEqual((await read(written, catalog)).shown.comparison, study);

  const elastic = { method: { solver: 'event-driven', broad_phase: 'auto', integrator: 'semi-implicit-euler', response: 'impulse' }, from: 0 };
  assert.deepEqual((await read(new URLSearchParams('view=3d&compare=event-driven'), catalog)).shown.comparison, elastic);
  // The step of the comparison cannot be after that of the link.
  for (const wrong of ['compare=none', 'compare=baseline,tree', 'compare=soft-step,octree', 'compare=baseline,octree,elastic,euler', 'compare=baseline,octree,elastic,verlet,1', 'compare=soft-step&compare-from=9']) {
    const { invalid } = await read(new URLSearchParams(`view=3d&${wrong}`), catalog);
    assert.equal(invalid.length, 1, wrong);
  }
});
