/** Every preset runs, and equals its saved scene in `embate simulate`. */

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { simulatedHash } from '../harness/program.mjs';
import { pageTest } from '../harness/page-test.mjs';

const STEPS = 600;

const PRESETS = [
  'ramp',
  'spheres',
  'boxes',
  'pyramid',
  'dominoes',
  'cradle',
  'gas',
  'hulls',
  'cards',
  'wrecking',
  'dzhanibekov',
  'study-bounce',
  'study-pile',
  'study-positions',
  'thousand',
  'empty',
];

for (const name of PRESETS) {
  pageTest(`${name} has a description of several sentences, and its saved scene runs alike in embate simulate`, { hash: `view=3d&preset=${name}` }, async ({ page, view3d }, t) => {
    const names = await page.locator('#preset option').evaluateAll((all) => all.map((option) => option.getAttribute('value') ?? ''));
    assert.deepEqual(names, PRESETS, 'every preset is tried here');
    assert.equal(await page.locator('#preset').inputValue(), name);
    const about = await page.locator('#preset-about').innerText();
    assert.ok((about.match(/[.!?](\s|$)/g) ?? []).length >= 2, about);

    const folder = await mkdtemp(join(tmpdir(), 'embate-presets-'));
    try {
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save', exact: true }).click()]);
      const path = join(folder, `${name}.json`);
      await file.saveAs(path);
      const [there] = await Promise.all([simulatedHash(path, STEPS), view3d.go(STEPS)]);
      assert.equal(await view3d.hash(), there);
      t.diagnostic(await page.locator('.stage-line').innerText());
    } finally {
      await rm(folder, { recursive: true });
    }
  });
}

pageTest('another seed makes another scene, and the same seed the same', { hash: 'view=3d&preset=hulls&seed=5' }, async ({ view3d }) => {
  const first = await view3d.hash();
  await view3d.enter('seed', 6);
  await view3d.untilAddress((address) => address.get('seed') === '6');
  await view3d.untilOtherHash(first);
  await view3d.enter('seed', 5);
  await view3d.untilHash(first);
});

pageTest('the scene plays by itself unless reduced motion is preferred', { hash: 'view=3d&preset=spheres', motion: 'no-preference' }, async ({ page, view3d }) => {
  await view3d.pastStep(20);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Play' }).waitFor();
  assert.match(await page.locator('.stage-line').innerText(), /^61 bodies, \d+ touching/);
});
