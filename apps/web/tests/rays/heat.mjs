/** Heat maps: equality with embate heatmap, cancel, storage and export. */

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { hillsPly } from '../harness/meshes.mjs';
import { decodePng } from '../harness/png.mjs';
import { runJson } from '../harness/program.mjs';
import { pageTest } from '../harness/page-test.mjs';
import { untilTrue } from '../harness/until.mjs';

pageTest('heat maps have the totals and the table of embate heatmap for the same camera', { hash: 'view=rays&scene=house' }, async ({ page, viewRays }) => {
  const folder = await mkdtemp(join(tmpdir(), 'embate-heat-'));
  try {
    const [file, bytes, out] = [join(folder, 'hills.ply'), hillsPly(30), join(folder, 'heat.csv')];
    await writeFile(file, bytes);
    await viewRays.open('hills.ply', bytes);
    await viewRays.untilTriangles(1800);
    // Started automatically, once all is built.
    await viewRays.untilHeatMaps();
    await viewRays.stage.press('ArrowLeft');
    await page.locator('.panel-heat').getByText('The view has changed since.').waitFor();
    for (const metric of ['Triangle tests', 'Nodes or cells']) {
      await page.locator('.panel-heat .segments').getByText(metric).click();
      await page.locator('.panel-heat').getByRole('button', { name: 'Compute again' }).click();
      await viewRays.untilHeatMaps();
      await page.locator('.panel-heat').getByRole('button', { name: /command/ }).click();
      await viewRays.untilAnnounced('Command copied.');
      const command = await page.evaluate(() => navigator.clipboard.readText());
      const [name, verb, mesh, ...options] = command.split(' ');
      assert.deepEqual([name, verb, mesh], ['embate', 'heatmap', 'hills.ply']);
      const { structures } = await runJson('heatmap', file, ...options.slice(0, -1), out);
      assert.equal(structures.length, 4);
      for (const { name: technique, total, max, mean } of structures) {
        assert.deepEqual(await viewRays.heat(technique), { total, max, mean }, `${technique}, ${metric}`);
      }
      const [saved] = await Promise.all([page.waitForEvent('download'), page.locator('.panel-heat').getByRole('button', { name: 'CSV' }).click()]);
      assert.equal(await readFile(await saved.path(), 'utf8'), await readFile(out, 'utf8'));
    }
    const [picture] = await Promise.all([page.waitForEvent('download'), page.locator('.panel-heat').getByRole('button', { name: 'PNG' }).click()]);
    assert.equal(picture.suggestedFilename(), 'hills-heat-cells.png');
    const decoded = decodePng(await readFile(await picture.path()));
    assert.ok(decoded.width > 4 * 480, `${decoded.width} px`);
    // The title with mesh and camera is above the maps, in the colors of the theme.
    const isGround = (/** @type {number} */ x, /** @type {number} */ y) =>
      [0x16, 0x1b, 0x22].every((part, channel) => decoded.data[(y * decoded.width + x) * decoded.channels + channel] === part);
    assert.ok(isGround(2, 2), 'the panel of the dark theme');
    for (const [from, to] of [[24, 48], [54, 78]]) {
      const written = Array.from({ length: 500 * (to - from) }, (_, place) => isGround(24 + (place % 500), from + Math.floor(place / 500)));
      assert.ok(written.filter((ground) => !ground).length > 1000, `text from ${from} to ${to}`);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

pageTest('heat maps appear while they are computed, and can be canceled', { hash: 'view=rays&scene=random-low&count=12000' }, async ({ page, viewRays }) => {
  await viewRays.started();
  await page.locator('.heat-progress').waitFor();
  await page.locator('[data-map=bvh]').waitFor();
  await page.locator('.panel-heat').getByRole('button', { name: 'Cancel' }).click();
  await page.locator('.panel-heat').getByText(/^Canceled/).waitFor();
  assert.equal(await page.locator('.panel-heat').getByRole('button', { name: 'CSV' }).isEnabled(), false);
  // The inspector responds at once.
  await viewRays.enter('ray-origin-x', '1');
  await untilTrue(async () => (await viewRays.ray())?.startsWith('1,') === true);
});

pageTest('in the light theme the picture of the heat maps is light, and the four maps are level', { hash: 'view=rays&scene=house', colorScheme: 'light' }, async ({ page, viewRays }) => {
  await viewRays.untilHeatMaps();
  const tops = await page.locator('.heat-picture').evaluateAll((all) => all.map((picture) => picture.getBoundingClientRect().top));
  assert.equal(tops.length, 4);
  assert.ok(tops.every((top) => Math.abs(top - (tops[0] ?? 0)) < 0.5), tops.join());
  const [picture] = await Promise.all([page.waitForEvent('download'), page.locator('.panel-heat').getByRole('button', { name: 'PNG' }).click()]);
  const { data, width, channels } = decodePng(await readFile(await picture.path()));
  const panel = await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--panel').trim());
  const at = (2 * width + 2) * channels;
  assert.equal(`#${[...data.subarray(at, at + 3)].map((part) => part.toString(16).padStart(2, '0')).join('')}`, panel);
  assert.ok([...data.subarray(at, at + 3)].every((part) => part > 0xe0), panel);
});
