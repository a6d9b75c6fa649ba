/** No axe violations in the 2D view, in any state, theme, language and screen size. */

import assert from 'node:assert/strict';

import { axe, violations } from '../harness/axe.mjs';
import { DESKTOP, PHONE, SMALL_PHONE } from '../harness/browser.mjs';
import { pageTest } from '../harness/page-test.mjs';

const SCREENS = { desktop: DESKTOP, phone: PHONE, 'small phone': SMALL_PHONE };

for (const locale of ['en-US', 'pt-BR']) {
  for (const colorScheme of /** @type {const} */ (['dark', 'light'])) {
    const isWhole = (/** @type {string} */ where) => colorScheme === 'dark' || (locale === 'en-US' && where.startsWith('desktop'));
    const rules = isWhole('phone') ? 'by every rule' : isWhole('desktop') ? 'by every rule on the desktop and by those of colours on phones' : 'by the rules of colours';
    pageTest(
      `axe finds nothing ${rules}: ${locale}, ${colorScheme}, desktop and phones, with results, problems and help open`,
      { locale, colorScheme, hash: 'n=100&s=20-40&t=study-grid&c=15&cells=1&boxes=1&sel=3&frames=1&rubbish=1' },
      async ({ page, view }) => {
        await page.evaluate(axe);
        const found = [];
        const look = async (/** @type {string} */ where) => found.push(...(await violations(page, where, isWhole(where) ? 'all' : 'colours')));
        await view.run();
        await page.locator('#selection-title').getByText('3').waitFor();
        for (const [name, size] of Object.entries(SCREENS)) {
          await page.setViewportSize(size);
          await look(`${name}, comparison`);
          const wide = await page.evaluate(() => document.documentElement.scrollWidth);
          assert.ok(wide <= size.width, `${name}: the page is ${wide} px wide`);
        }
        await view.refused('objects', '0');
        await view.refused('frames', '0');
        await look('small phone, problems');
        await view.field('frames').fill('1');
        await view.enter('objects', 100);
        await view.choose(/2$/);
        await page.locator('.techniques').waitFor();
        for (const chip of (await view.experiments.locator('.chip input').all()).slice(3)) {
          await chip.uncheck();
        }
        await view.run();
        for (const [name, size] of Object.entries(SCREENS).reverse()) {
          await page.setViewportSize(size);
          await look(`${name}, experiment 2`);
          const wide = await page.evaluate(() => document.documentElement.scrollWidth);
          assert.ok(wide <= size.width, `${name}: the page is ${wide} px wide`);
        }
        await view.stage.press('?');
        await page.getByRole('dialog').waitFor();
        await look('desktop, help');
        await page.setViewportSize(SMALL_PHONE);
        await look('small phone, help');
        assert.deepEqual(found, []);
      },
    );
  }
}

pageTest('axe finds no violations in the message about a failed engine', {
  skipStart: true,
  expectedErrors: /./,
  prepare: (page) => page.route('**/*.wasm', (route) => route.fulfill({ status: 404, body: 'gone' })),
}, async ({ page }) => {
  await page.getByRole('alert').waitFor();
  await page.evaluate(axe);
  assert.deepEqual(await violations(page, 'a broken engine'), []);
});
