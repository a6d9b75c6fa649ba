/** Studies in both languages and themes, on all screens, by keyboard and by link. */

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { axe, violations } from '../harness/axe.mjs';
import { DESKTOP, launch, PHONE, SMALL_PHONE } from '../harness/browser.mjs';
import { pageTest } from '../harness/page-test.mjs';
import { totalTransferSize, wasmModules } from '../harness/transfer-size.mjs';
import { until, untilEqual, untilMatch, untilTrue } from '../harness/until.mjs';
import { studiesTest, ViewStudies } from '../harness/view-studies.mjs';

const SCREENS = { desktop: DESKTOP, phone: PHONE, 'small phone': SMALL_PHONE };
const SMALL_2D = 'study=broad2d&experiment=2&objects=10,100&frames=4&seeds=1&workers=1';
const SMALL_RAYS = 'study=rays&sizes=100,200&rays=5&repeats=1&tech=study-brute,study-octree,bvh&workers=1';
const MAX_BYTES = 1_200_000;

for (const locale of ['en-US', 'pt-BR']) {
  studiesTest(`axe finds no violations in the studies: ${locale}, dark and light, desktop and phones`, { locale, hash: `${SMALL_RAYS}&rubbish=1` }, async ({ page, studies }) => {
    await studies.run();
    await page.evaluate(axe);
    const found = [];
    const look = async (/** @type {string} */ where, /** @type {'all' | 'colours'} */ which) => {
      found.push(...(await violations(page, where, which)));
      const [wide, width] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(wide <= width, `${where}: the page is ${wide} px wide`);
    };
    for (const theme of ['dark', 'light']) {
      await page.locator('.settings select').nth(1).selectOption(theme);
      await page.locator(`html[data-theme=${theme}]`).waitFor();
      for (const [name, size] of Object.entries(SCREENS)) {
        await page.setViewportSize(size);
        await look(`${name}, ${theme}, overview`, theme === 'dark' || locale === 'en-US' ? 'all' : 'colours');
      }
    }
    for (const tab of [/Tables|Tabelas/, /Rows|Linhas/]) {
      await studies.show(tab);
      await page.locator('.panel-results .table').first().waitFor();
      await look(`small phone, ${tab}`, 'all');
    }
    await page.locator('#rays').fill('0');
    await page.locator('#sizes').fill('1,000');
    await page.locator('.panel-study .chip input').last().click();
    await page.locator('#rays-problem').waitFor();
    await look('small phone, problems', 'all');
    assert.deepEqual(found, []);
  });
}

studiesTest('a study is chosen, run, inspected and exported by keyboard alone', { hash: SMALL_2D }, async ({ page, studies }) => {
  const focusIs = (/** @type {string} */ selector) => page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector);
  const tabTo = async (/** @type {string} */ selector) => {
    for (let presses = 0; presses < 80 && !(await focusIs(selector)); presses += 1) await page.keyboard.press('Tab');
    assert.ok(await focusIs(selector), `${selector} cannot be reached`);
  };
  await tabTo('[name=study]:checked');
  await page.keyboard.press('ArrowDown');
  await studies.untilAddress((address) => address.get('study') === 'broad3d');
  await page.keyboard.press('ArrowUp');
  await studies.untilAddress((address) => address.get('study') === 'broad2d');
  await tabTo('[name=experiment]:checked');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await tabTo('#objects');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('10, 50');
  await tabTo('#frames');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('3');
  await studies.untilAddress((address) => address.get('objects') === '10,50' && address.get('frames') === '3');
  await studies.started();
  await tabTo('.button.run');
  await page.keyboard.press('Enter');
  await page.locator('.panel-results .chart-plot').first().waitFor();
  await tabTo('.panel-results');
  await page.keyboard.press('3');
  await page.locator('.panel-results .table').waitFor();
  await page.keyboard.press('d');
  await studies.untilAnnounced(/Broad phase in 2D, Quick: 8 cases\. Finished: 8 cases are measured\. Findings: \d+ confirmed/);
  await page.keyboard.press('?');
  await page.getByRole('dialog').getByText('Run, stop or resume').waitFor();
  await page.keyboard.press('Escape');
  await tabTo('.panel-export .take-away .button');
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  assert.equal(download.suggestedFilename(), 'embate-broad2d.html');
});

studiesTest('everything is translated, including the report, which is self-contained', { hash: SMALL_2D }, async ({ page, studies }) => {
  await studies.run();
  const published = page.locator('[data-kind=published] .verdicts');
  assert.match(await published.innerText(), /Published/);
  await page.getByLabel('Language').selectOption('pt-BR');
  await untilMatch(() => published.innerText(), /Publicado/);
  await untilMatch(() => page.locator('#results-title').innerText(), /Gonçales et al\. 2016 · Fase ampla em 2D/);
  const { name, text } = await studies.taken(/^Relatório/);
  assert.equal(name, 'embate-broad2d.html');
  const file = join(tmpdir(), `embate-report-${process.pid}.html`);
  await writeFile(file, text);
  const context = await (await launch()).newContext();
  try {
    const requests = /** @type {string[]} */ ([]);
    context.on('request', (request) => requests.push(request.url()));
    const report = await context.newPage();
    await report.goto(pathToFileURL(file).href);
    assert.equal(await report.locator('html').getAttribute('lang'), 'pt-BR');
    assert.match(await report.locator('h1').innerText(), /Gonçales et al\. 2016: fase ampla/);
    assert.ok((await report.locator('figure svg').count()) >= 3, 'the report contains charts');
    assert.match(await report.locator('body').innerText(), /embate study broad2d --quick --experiment 2 --frames 4 --objects 10,100 --seeds 1/);
    assert.deepEqual(requests, [pathToFileURL(file).href]);
  } finally {
    await context.close();
  }
});

const LINK = 'study=rays&run=full&sizes=7,70&rays=9&seed=77&families=low&tech=brute,bvh&workers=1&show=rows';

studiesTest('a link reproduces the choice', { hash: LINK }, async ({ page, studies }) => {
  assert.ok(await page.getByRole('radio', { name: 'Full' }).isChecked());
  assert.equal(await page.locator('#sizes').inputValue(), '7, 70');
  assert.equal(await page.locator('#rays').inputValue(), '9');
  assert.deepEqual(await page.locator('.panel-study .chip:has(:checked)').allInnerTexts(), ['Large', 'Brute force', 'BVH']);
  await page.getByRole('button', { name: 'Link' }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const [found, wanted] = [link.replace(/.*#/, ''), `view=studies&${LINK}`].map((hash) => Object.fromEntries(new URLSearchParams(hash)));
  assert.deepEqual(found, wanted);
  await page.getByRole('link', { name: '2D broad phase' }).click();
  await page.locator('.stage').waitFor();
  await page.getByRole('link', { name: 'Studies' }).click();
  await studies.started();
  assert.equal(await page.locator('#sizes').inputValue(), '7, 70', 'the choice is kept');
});

studiesTest('invalid parameters of a link are reported, and the page runs the rest', {
  hash: 'study=%3Cscript%3E&run=fast&sizes=999999999999&rays=-1&seed=1e99&families=toString&tech=__proto__&workers=99999&show=%00&x=1',
}, async ({ page, studies }) => {
  const notice = await page.locator('.notice').innerText();
  for (const field of ['study', 'run', 'sizes', 'rays', 'seed', 'families', 'tech', 'workers', 'show', 'x']) assert.match(notice, new RegExp(`\\b${field}\\b`));
  assert.ok(await page.getByRole('radio', { name: /Rays and an octree/ }).isChecked());
  await studies.started();
});

studiesTest('errors are shown beside their fields, in both languages', { hash: SMALL_RAYS }, async ({ page, studies }) => {
  const wrong = [['rays', '0', /At least 1/, /No mínimo 1|Pelo menos 1|Ao menos 1/], ['sizes', '1,000', /without thousands separators/, /sem separador de milhar/], ['sizes', '', /at least one/, /pelo menos um/], ['seed', '99999999999', /At most 4,294,967,295/, /4\.294\.967\.295/]];
  for (const [id, typed, english, portuguese] of wrong) {
    const field = page.locator(`#${id}`);
    const before = await field.inputValue();
    await field.fill(String(typed));
    await untilMatch(() => page.locator(`#${id}-problem`).innerText(), /** @type {RegExp} */ (english));
    assert.ok(await studies.runButton.isDisabled());
    await page.locator('.settings select').first().selectOption('pt-BR');
    await untilMatch(() => page.locator(`#${id}-problem`).innerText(), /** @type {RegExp} */ (portuguese));
    await page.locator('.settings select').first().selectOption('en');
    await field.fill(before);
    await untilTrue(() => studies.runButton.isEnabled());
  }
});

studiesTest('Run and progress are visible without scrolling, and the bar agrees with its text', { hash: 'study=broad2d&experiment=2&objects=10,300,2000&frames=60&seeds=1&workers=1', viewport: { width: 1366, height: 768 } }, async ({ page, studies }) => {
  const isVisible = async (/** @type {import('playwright-core').Locator} */ element) => {
    const box = await element.boundingBox();
    assert.ok(box !== null && box.y >= 0 && box.y + box.height <= 768, JSON.stringify(box));
  };
  await isVisible(studies.runButton);
  await studies.runButton.click();
  const progress = page.locator('.study-progress');
  await progress.waitFor();
  await isVisible(progress);
  const read = () => page.evaluate(() => {
    const [bar, text, share] = ['.study-progress progress', '#study-left', '.share'].map((selector) => document.querySelector(selector));
    return bar === null ? null : { value: /** @type {HTMLProgressElement} */ (bar).value, text: text?.textContent ?? '', share: share?.textContent ?? '' };
  });
  const seen = await until(read, (now) => assert.ok(now === null || now.value > 0.2));
  if (seen !== null) {
    const [done = 0, all = 1] = (seen.text.match(/\d+/g) ?? []).map(Number);
    assert.ok(seen.value >= done / all && seen.value <= (done + 1) / all, JSON.stringify(seen));
    assert.equal(seen.share, `${Math.floor(seen.value * 100)}%`);
  }
  await studies.untilFinished();
});

studiesTest('a run that is not possible says why beside its button, and no command is shown', { hash: 'workers=1' }, async ({ page, studies }) => {
  await page.locator('.command code').getByText('embate study rays --quick').waitFor();
  await page.locator('#workers').fill('4096');
  const [cores] = await page.evaluate(() => [navigator.hardwareConcurrency]);
  const reason = page.locator('#run-blocked');
  await untilMatch(() => reason.innerText(), new RegExp(`Cannot run: Parallel workers: At most ${cores} \\(this machine has ${cores} processor thread`));
  assert.equal(await studies.runButton.getAttribute('aria-describedby'), 'run-blocked');
  assert.ok(await studies.runButton.isDisabled());
  await page.getByRole('radio', { name: /Broad phase in 2D/ }).check();
  await untilEqual(() => page.locator('.command').count(), 0);
  await page.locator('#workers').fill('1');
  await page.locator('.command code').getByText('embate study broad2d --quick').waitFor();
  assert.equal(await reason.count(), 0);
});

for (const [locale, title, names] of /** @type {const} */ ([
  ['en-US', 'How to cite', ['Brute force (study)', 'Grid (study)', 'Brute force', 'Sweep', 'Tree', 'Grid', 'Quadtree']],
  ['pt-BR', 'Como citar', ['Força bruta (estudo)', 'Grade (estudo)', 'Força bruta', 'Varredura', 'Árvore', 'Grade', 'Quadtree']],
])) {
  studiesTest(`techniques have names, and the references can be copied: ${locale}`, { locale, hash: 'study=broad2d' }, async ({ page }) => {
    assert.deepEqual(await page.locator('.panel-study .techniques').last().locator('.chip').allInnerTexts(), names);
    await page.locator('.references summary').getByText(title).click();
    const items = page.locator('.references li');
    assert.equal(await items.count(), 3);
    await items.filter({ hasText: 'Gonçales' }).getByRole('button').click();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^V\. H\. P\. Gonçales et al\. .*UNOESTE, 2016\.$/);
  });
}

studiesTest('the form has one group per question for assistive technology, without repeated names', {}, async ({ page }) => {
  assert.equal(await page.getByRole('radiogroup', { name: 'Which study' }).count(), 1);
  assert.equal(await page.getByRole('group', { name: 'Which study' }).count(), 0);
  assert.equal(await page.getByRole('group', { name: 'Size of the study' }).count(), 1);
});

pageTest('the studies are loaded when they are opened, at most 1.2 MB of them', { motion: 'no-preference' }, async ({ page, view, requests, origin }, t) => {
  await view.started();
  const first = new Set(requests);
  await page.getByRole('link', { name: 'Studies' }).click();
  const studies = new ViewStudies(page);
  await studies.started();
  await page.locator('#objects, #sizes').first().waitFor();
  const fetched = [...new Set(requests)].filter((url) => !first.has(url) && url.startsWith(origin));
  const all = await totalTransferSize(fetched, t);
  assert.ok(all > 50_000 && all <= MAX_BYTES, `${all} bytes`);
  assert.deepEqual(wasmModules(fetched), ['embate_web_studies']);
  // The small drawing is animated unless reduced motion is preferred.
  const moves = () => page.locator('.drawing').evaluate((drawing) => drawing.getAnimations({ subtree: true }).length > 0);
  await untilEqual(moves, true);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await until(moves, (now) => assert.equal(now, false));
});
