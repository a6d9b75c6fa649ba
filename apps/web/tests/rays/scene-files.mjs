/** Generated scenes as files: saved by the page, and by the commands that it copies. */

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { hillsPly } from '../harness/meshes.mjs';
import { pageTest } from '../harness/page-test.mjs';
import { runCommands } from '../harness/program.mjs';
import { untilMatch } from '../harness/until.mjs';

/** @param {(folder: string) => Promise<void>} use */
async function inFolder(use) {
  const folder = await mkdtemp(join(tmpdir(), 'embate-scene-'));
  try {
    await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const SCENES = [
  { hash: 'scene=house', stem: 'house', command: 'embate scene house' },
  { hash: 'scene=city', stem: 'city', command: 'embate scene city' },
  { hash: 'scene=random-low&count=300&seed=7', stem: 'random-low-300-7', command: 'embate scene random-low --triangles 300 --seed 7' },
  { hash: 'scene=random-medium&count=300&seed=7', stem: 'random-medium-300-7', command: 'embate scene random-medium --triangles 300 --seed 7' },
  { hash: 'scene=random-high&count=500&seed=4294967295', stem: 'random-high-500-4294967295', command: 'embate scene random-high --triangles 500 --seed 4294967295' },
];

for (const { hash, stem, command } of SCENES) {
  pageTest(`a saved scene equals the file that embate writes, in every format: ${stem}`, { hash: `view=rays&${hash}` }, async ({ page, viewRays }) => {
    await viewRays.started();
    await inFolder(async (folder) => {
      for (const format of ['ply', 'obj', 'txt']) {
        const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: `Save scene as .${format}` }).click()]);
        assert.equal(saved.suggestedFilename(), `${stem}.${format}`);
        await viewRays.untilAnnounced(`${stem}.${format}`);
        await runCommands(`${command} --out ${stem}.${format}`, folder);
        const [here, there] = await Promise.all([readFile(await saved.path()), readFile(join(folder, `${stem}.${format}`))]);
        assert.ok(here.equals(there), `${stem}.${format}`);
      }
    });
  });
}

for (const hash of ['scene=house&structure=octree', 'scene=random-high&count=500&seed=3&structure=bvh']) {
  pageTest(`the copied commands run as they are, one after the other, with the hits of the page: ${hash}`, { hash: `view=rays&${hash}` }, async ({ page, viewRays }) => {
    await viewRays.allBuilt();
    await viewRays.untilHeatMaps();
    await inFolder(async (folder) => {
      const copied = async (/** @type {string} */ panel) => {
        await page.evaluate(() => navigator.clipboard.writeText(''));
        await page.locator(panel).getByRole('button', { name: /^Copy command/ }).click();
        return untilMatch(() => page.evaluate(() => navigator.clipboard.readText()), /^embate scene .+\.ply\nembate /);
      };
      const cast = await copied('.panel-ray');
      await viewRays.untilAnnounced(/^Two commands copied: the first writes .+\.ply, the second reads it\.$/);
      const output = await runCommands(cast, folder);
      const [{ t, triangle }] = JSON.parse(output.slice(output.indexOf('{'))).results;
      const technique = hash.endsWith('octree') ? 'octree' : 'bvh';
      const here = await viewRays.answer(technique);
      assert.deepEqual([t, triangle], [here['t'], here['triangle']]);

      await runCommands(await copied('.panel-heat'), folder);
      const [saved] = await Promise.all([page.waitForEvent('download'), page.locator('.panel-heat').getByRole('button', { name: 'CSV' }).click()]);
      assert.equal(await readFile(await saved.path(), 'utf8'), await readFile(join(folder, 'heat.csv'), 'utf8'));
    });
  });
}

pageTest('the command of a file with a blank in its name has it in quotes, and a file is not saved again', { hash: 'view=rays&scene=house' }, async ({ page, viewRays }) => {
  await viewRays.open('my hills.ply', hillsPly(30));
  await viewRays.untilTriangles(1800);
  await viewRays.started();
  await page.locator('.panel-ray').getByRole('button', { name: /^Copy command/ }).click();
  await untilMatch(() => page.evaluate(() => navigator.clipboard.readText()), /^embate cast 'my hills\.ply' --ray=/);
  await page.getByRole('button', { name: 'Save scene as .ply' }).waitFor({ state: 'detached' });
});
