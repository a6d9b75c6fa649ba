/** Exported pictures state version, machine and date below their content. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

import { decodePng, distinctColors } from '../harness/png.mjs';
import { pageTest } from '../harness/page-test.mjs';

for (const colorScheme of /** @type {const} */ (['dark', 'light'])) {
  pageTest(`an exported picture has a line of text below, on its own background: ${colorScheme}`, { colorScheme, hash: 'exp=2&frames=1&tech=study-grid,sweep' }, async ({ page, view }) => {
    await view.run();
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'PNG' }).click()]);
    const picture = decodePng(await readFile(await file.path()));
    const { width, height, channels, data } = picture;
    const footer = 2 * Math.round(width / 90);
    const part = (/** @type {number} */ from, /** @type {number} */ to) => ({ ...picture, height: to - from, data: data.subarray(from * width * channels, to * width * channels) });
    assert.ok(distinctColors(part(height - footer, height)) >= 8, 'text is drawn');
    assert.deepEqual([...data.subarray(-channels)], [...data.subarray(0, channels)], 'the background is the same');
    assert.equal(distinctColors(part(height - 4, height)), 1, 'the text has a margin');
  });
}
