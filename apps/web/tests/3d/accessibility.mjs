/** The 3D view without sight, in both languages and themes, on all screens. */

import assert from 'node:assert/strict';

import { axe, violations } from '../harness/axe.mjs';
import { DESKTOP, PHONE, SMALL_PHONE } from '../harness/browser.mjs';
import { pageTest } from '../harness/page-test.mjs';
import { until, untilEqual, untilMatch } from '../harness/until.mjs';

const SCREENS = { desktop: DESKTOP, phone: PHONE, 'small phone': SMALL_PHONE };

for (const locale of ['en-US', 'pt-BR']) {
  const light = locale === 'en-US' ? 'by every rule on the desktop and by those of colours on phones' : 'by the rules of colours';
  pageTest(`axe finds no violations in the simulator: ${locale}, desktop and phones, dark by every rule, light ${light}`, { locale, hash: 'view=3d&preset=ramp&show=grid,octree&rubbish=1' }, async ({ page, view3d }) => {
    await view3d.go(50);
    await page.locator('.row-button').nth(5).click();
    await page.locator('#body-mass').waitFor();
    await view3d.enter('body-mass', '-1');
    await page.locator('.panel-selection .field-problem').waitFor();
    await page.locator('input[type=file]').setInputFiles({ name: 'bad.json', mimeType: 'application/json', buffer: Buffer.from('{') });
    await page.locator('.file-problem').waitFor();
    await page.evaluate(axe);
    const found = [];
    for (const theme of ['dark', 'light']) {
      await page.locator('.settings select').nth(1).selectOption(theme);
      await page.locator(`html[data-theme=${theme}]`).waitFor();
      for (const [name, size] of Object.entries(SCREENS)) {
        await page.setViewportSize(size);
        const isWhole = theme === 'dark' || (locale === 'en-US' && name === 'desktop');
        found.push(...(await violations(page, `${name}, ${theme}`, isWhole ? 'all' : 'colours')));
        // Charts resize with a delay.
        await until(
          () => page.evaluate(() => document.documentElement.scrollWidth),
          (wide) => assert.ok(wide <= size.width, `${name}: the page is ${wide} px wide`),
        );
      }
    }
    assert.deepEqual(found, []);
  });
}

pageTest('the scene has a text description, also in the other language', { hash: 'view=3d&preset=pyramid' }, async ({ page, view3d }) => {
  await view3d.stage.press(']');
  await view3d.untilAnnounced('floor selected.');
  await view3d.stage.press(']');
  await page.locator('#selection-title').getByText('box 1.1').waitFor();
  await view3d.stage.press('d');
  await view3d.untilAnnounced(/Pyramid: 106 bodies, fixed: 1\..*Paused at step 0.*box 1\.1 is selected: box at/);
  await page.getByLabel('Language').selectOption('pt-BR');
  await page.locator('#stage-title').getByText('Pirâmide').waitFor();
  await page.getByRole('button', { name: 'Descrever' }).click();
  await view3d.untilAnnounced(/Pirâmide: 106 corpos, fixos: 1\./);
  await view3d.stage.press('?');
  await page.getByRole('dialog').getByText('Atirar uma bola').waitFor();
});

pageTest('each view restores its state when the user returns to it', { hash: 'view=3d&preset=cradle' }, async ({ page, view, view3d }) => {
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await view3d.untilBodies(7);
  await view3d.untilAddress((address) => address.has('scene'));
  await page.getByRole('link', { name: '2D broad phase' }).click();
  await view.started();
  await view.enter('objects', 77);
  await page.getByRole('link', { name: '3D simulator' }).click();
  await view3d.started();
  await view3d.untilBodies(7);
  await page.getByRole('link', { name: '2D broad phase' }).click();
  await view.started();
  await untilEqual(() => view.figure('objects'), 77);
  await page.getByRole('link', { name: '3D simulator' }).click();
  await view3d.started();
  await untilEqual(() => page.title(), '3D simulator · Embate');
});

pageTest('a view left by going back is restored as it was then, not as it was when left by a link', { hash: 'view=3d&preset=cradle' }, async ({ page, view, view3d }) => {
  const add = page.getByRole('button', { name: 'Add', exact: true });
  const [to2d, to3d] = [page.getByRole('link', { name: '2D broad phase' }), page.getByRole('link', { name: '3D simulator' })];
  await add.click();
  await view3d.untilBodies(7);
  await view3d.untilAddress((address) => address.has('scene'));
  const older = view3d.address().get('scene');
  await to2d.click();
  await view.started();
  await to3d.click();
  await view3d.started();
  await view3d.untilBodies(7);
  await add.click();
  await view3d.untilBodies(8);
  await view3d.untilAddress((address) => address.has('scene') && address.get('scene') !== older);
  await page.goBack();
  await view.started();
  await to3d.click();
  await view3d.started();
  await view3d.untilBodies(8);
});

pageTest('the hidden description of the stage follows the language at once', { hash: 'view=3d&preset=pyramid' }, async ({ page, view3d }) => {
  const description = () => page.locator('#stage-description').textContent();
  await untilMatch(description, /^Pyramid: 106 bodies/);
  // A description was written just now, so the next one would wait.
  await view3d.go(3);
  await untilMatch(description, /step 3/);
  await view3d.go(4);
  await page.getByLabel('Language').selectOption('pt-BR');
  await page.waitForFunction(() => /^Pirâmide: 106 corpos.*passo 4/.test(document.querySelector('#stage-description')?.textContent ?? ''), null, { timeout: 500 });
});
