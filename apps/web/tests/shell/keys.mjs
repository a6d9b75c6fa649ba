/** Shortcuts of the whole page, in every view. */

import assert from 'node:assert/strict';

import { pageTest } from '../harness/page-test.mjs';
import { untilEqual } from '../harness/until.mjs';
import { studiesTest } from '../harness/view-studies.mjs';

const VIEWS = ['', 'view=3d', 'view=rays', 'view=studies'];

for (const hash of VIEWS) {
  pageTest(`on a fresh page "?" opens the list of shortcuts, and not while text is typed: ${hash || 'view=2d'}`, { hash, skipStart: true }, async ({ page }) => {
    const field = page.locator('input[type=text]:enabled').first();
    await field.waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await field.focus();
    await page.keyboard.press('?');
    await page.getByRole('combobox').first().press('?');
    assert.equal(await page.getByRole('dialog').count(), 0);
  });
}

pageTest('keys printed on buttons work without a focused stage, and a focused button keeps Space', { hash: 'n=40' }, async ({ page, view }) => {
  const scrolled = () => page.evaluate(() => scrollY);
  await page.keyboard.press('.');
  await view.untilFrame(1);
  await page.keyboard.press('Space');
  await page.locator('.toolbar .play').getByText('Pause').waitFor();
  assert.equal(await scrolled(), 0, 'the page does not scroll');
  await page.keyboard.press('Space');
  await page.locator('.toolbar .play').getByText('Play').waitFor();
  const sound = page.locator('.toolbar').getByRole('button', { name: 'Sound' });
  await sound.focus();
  await page.keyboard.press('Space');
  await untilEqual(() => sound.getAttribute('aria-pressed'), 'true');
  await page.locator('.toolbar .play').getByText('Play').waitFor();
  await page.keyboard.press('d');
  await view.untilAnnounced('A world of');
});

studiesTest('a study is run by the key on its button, on a fresh page', { hash: 'study=broad3d&objects=40&frames=2&tech=tree&workers=1' }, async ({ page, studies }) => {
  await page.keyboard.press('e');
  await studies.untilFinished();
  await page.keyboard.press('3');
  await page.locator('.panel-results .table').waitFor();
});
