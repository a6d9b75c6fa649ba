/** Translation of the page: complete, without words of the other language. */

import assert from 'node:assert/strict';
import { register } from 'node:module';
import { test } from 'node:test';

import { ENGLISH, PORTUGUESE, wordsOfPage } from '../harness/languages.mjs';
import { pageTest } from '../harness/page-test.mjs';
import { untilEqual } from '../harness/until.mjs';

register('../strip-types-hook.mjs', import.meta.url);
const texts = async (/** @type {string} */ folder) => {
  const [{ en }, { ptBR }] = await Promise.all([import(`../../src/${folder}/en.ts`), import(`../../src/${folder}/pt-BR.ts`)]);
  return { en, ptBR };
};
const [page, view] = await Promise.all([texts('shared/i18n'), texts('views/broad2d/i18n')]);
const { resultsEn } = await import('../../src/views/broad2d/i18n/results-en.ts');
const { resultsPtBR } = await import('../../src/views/broad2d/i18n/results-pt-BR.ts');
const [en, ptBR] = [{ ...page.en, ...view.en, ...resultsEn }, { ...page.ptBR, ...view.ptBR, ...resultsPtBR }];

/** @param {string | { one: string, other: string }} message */
const forms = (message) => (typeof message === 'string' ? [message] : [message.one, message.other]);
/** @param {string | { one: string, other: string }} message */
const createTranslation = (message) => forms(message).join(' ').replace(/\{[\w-]+\}/g, '…');

/** Texts that are the same in both languages, and names. */
const SAME = new Set([
  'page.title', 'experiment.csv', 'experiment.png', 'experiment.link', 'key.home', 'key.escape', 'form.bounds.aabb',
  'table.difference-ms', 'experiment.advice.use', 'experiment.case.objects', 'experiment.cell',
  'capacity.column', 'capacity.at-least',
]);

test('every text is translated, and none is left in English', () => {
  assert.deepEqual(Object.keys(ptBR).sort(), Object.keys(en).sort());
  const same = Object.keys(en).filter((key) => forms(en[key]).join() === forms(ptBR[key]).join());
  assert.deepEqual(same.filter((key) => !SAME.has(key)), []);
  for (const [key, message] of Object.entries(ptBR)) {
    assert.doesNotMatch(createTranslation(message), ENGLISH, key);
  }
  for (const [key, message] of Object.entries(en)) {
    assert.doesNotMatch(createTranslation(message), PORTUGUESE, key);
  }
});

const OPTIONS = { hash: 'n=80&s=30-60&t=study-grid&c=20&cells=1&sel=3&frames=1&tech=study-brute,study-grid' };

pageTest('in Portuguese the whole page is Portuguese: scene, results, errors, help, status', { ...OPTIONS, locale: 'pt-BR' }, async ({ page, view }) => {
  assert.equal(await page.locator('html').getAttribute('lang'), 'pt-BR');
  assert.equal(await page.title(), 'Fase ampla 2D · Embate');
  await readAllPanels(page, view, ENGLISH);
  assert.match(await view.figureText('ms'), /^–$|^\d+,\d{3}$/);
});

pageTest('in English the whole page is English', OPTIONS, async ({ page, view }) => {
  assert.equal(await page.locator('html').getAttribute('lang'), 'en');
  await readAllPanels(page, view, PORTUGUESE);
});

pageTest('the language can be changed at any time and is stored', { hash: 'n=1500' }, async ({ page, view }) => {
  await view.step();
  await page.getByLabel('Language').selectOption('pt-BR');
  await untilEqual(() => view.figureText('objects'), '1.500');
  // Attributes and title follow.
  await page.waitForFunction(() => document.documentElement.lang === 'pt-BR');
  await page.waitForFunction(() => document.title === 'Fase ampla 2D · Embate');
  assert.equal(await view.frame(), 1, 'the scene goes on as it was');
  await page.reload();
  await view.started();
  assert.equal(await page.locator('html').getAttribute('lang'), 'pt-BR');
  await page.getByLabel('Idioma').selectOption('en');
  await untilEqual(() => view.figureText('objects'), '1,500');
});

pageTest('another language changes texts only: no element is recreated, results and charts neither', OPTIONS, async ({ page, view }) => {
  for (const experiment of [0, 1, 2]) {
    await view.experiments.locator('.segments label').nth(experiment).click();
    await view.run();
    for (const [from, to] of [['Language', 'pt-BR'], ['Idioma', 'en']]) {
      await page.evaluate(watchElements);
      await page.getByLabel(from ?? '', { exact: true }).selectOption(to ?? '');
      await page.waitForFunction((tag) => document.documentElement.lang === tag, to);
      assert.deepEqual(await page.evaluate(() => globalThis.madeOrRemoved.map((element) => element.outerHTML)), []);
    }
  }
});

pageTest('numbers on a chart are formatted in the language of the page', { hash: 'n=2000' }, async ({ page, view }) => {
  await view.step(2);
  const plot = page.locator('.panel-chart canvas');
  const before = await plot.evaluate((canvas) => canvas.toDataURL());
  await page.getByLabel('Language').selectOption('pt-BR');
  await page.waitForFunction((old) => document.querySelector('.panel-chart canvas').toDataURL() !== old, before);
});

pageTest('users of other languages get English', { locale: 'fr-FR' }, async ({ page }) => {
  assert.equal(await page.locator('html').getAttribute('lang'), 'en');
});

/**
 * Opens every panel and reads its texts.
 *
 * @param {import('playwright-core').Page} page
 * @param {import('../harness/view-2d.mjs').View2d} view
 * @param {RegExp} foreign
 */
async function readAllPanels(page, view, foreign) {
  const look = async (/** @type {string} */ where) => {
    const found = (await page.evaluate(wordsOfPage, undefined)).filter((text) => foreign.test(text));
    assert.deepEqual(found, [], where);
  };
  const option = page.locator('#technique');
  for (const name of await option.locator('option').evaluateAll((all) => all.map((each) => each.getAttribute('value') ?? ''))) {
    await view.technique(name);
    await look(name);
  }
  for (const experiment of [0, 1, 2]) {
    await view.experiments.locator('.segments label').nth(experiment).click();
    await look(`experiment ${experiment}, before`);
    await view.run();
    await look(`experiment ${experiment}, after`);
  }
  await view.technique('study-grid');
  for (const [field, value] of [['objects', '0'], ['maxSize', '1'], ['width', ''], ['cellSize', '99999'], ['seed', '0.5'], ['frames', '0']]) {
    await view.refused(field ?? '', value ?? '');
    await look(`${field}=${value}`);
  }
  for (const button of await page.locator('.toolbar .button').all()) {
    await button.click();
    await look(`toolbar: ${await button.innerText()}`);
  }
  await view.untilAnnounced('960');
  await look('the description');
  await page.evaluate(() => (location.hash = '#n=none&t=none&rubbish'));
  await page.locator('.notice').waitFor();
  await look('a link that cannot be read');
  await view.stage.press('?');
  await look('help');
}

/** Records added and removed elements. Runs in the page. */
function watchElements() {
  globalThis.madeOrRemoved = [];
  new MutationObserver((changes) => {
    for (const { addedNodes, removedNodes } of changes) {
      globalThis.madeOrRemoved.push(...[...addedNodes, ...removedNodes].filter((node) => node.nodeType === Node.ELEMENT_NODE));
    }
  }).observe(document.body, { childList: true, subtree: true });
}
