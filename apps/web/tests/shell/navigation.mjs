/** Navigation between views: messages belong to the view that gave them. */

import assert from 'node:assert/strict';

import { pageTest } from '../harness/page-test.mjs';
import { untilEqual } from '../harness/until.mjs';

pageTest('a new view is announced, and messages and notices of the other are removed', { hash: 'n=none&rubbish=1' }, async ({ page, view }) => {
  await page.locator('.notice').waitFor();
  await view.untilAnnounced('could not be read');
  await page.getByRole('link', { name: 'Rays and meshes' }).click();
  await untilEqual(() => page.locator('.notice').count(), 0);
  await view.untilAnnounced('Rays and meshes opened.');
  await page.locator('.toolbar').getByRole('button', { name: 'Describe' }).click();
  await page.locator('.toast').waitFor();
  await page.getByRole('link', { name: 'Studies' }).click();
  await view.untilAnnounced('Studies opened.');
  assert.equal(await page.locator('.toast').count(), 0);
  await page.goBack();
  await view.untilAnnounced('Rays and meshes opened.');
});
