/** The whole 3D view in the page's language, also for edited presets. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

import { anyOf, ENGLISH, wordsOfPage } from '../harness/languages.mjs';
import { pageTest } from '../harness/page-test.mjs';
import { untilEqual, untilMatch } from '../harness/until.mjs';

/** Words of this view that occur in no Portuguese sentence; also in names of bodies. */
const OF_3D = anyOf(
  'bod(y|ies)|contacts?|islands?|asleep|cost|mass|shape|static|free|add|delete|remove|gravity|bounds|open|save|undo|redo|selected|' +
    'restitution|friction|velocity|overlays?|energy|momentum|chart|rows?|depth|radius|half|corners?|sphere|box(es)?|hulls?|fall(ing|s)?|pile',
);
pageTest('in Portuguese the whole view is Portuguese: presets unedited and edited, forms, errors, help', { hash: 'view=3d&preset=ramp', locale: 'pt-BR' }, async ({ page, view3d }) => {
  const look = async (/** @type {string} */ where) => {
    const found = (await page.evaluate(wordsOfPage)).filter((text) => ENGLISH.test(text) || OF_3D.test(text));
    assert.deepEqual(found, [], where);
  };
  const [title, about] = [page.locator('#stage-title'), page.locator('#preset-about')];
  for (const preset of ['ramp', 'dominoes', 'study-pile']) {
    await view3d.preset(preset);
    await view3d.go(5);
    await look(preset);
    const before = [await title.innerText(), await about.innerText()];
    // A thrown ball is no edit: the scene is still that of the preset.
    const count = await view3d.bodies();
    await view3d.stage.press('t');
    await view3d.untilBodies(count + 1);
    await view3d.untilAddress((address) => address.has('scene'));
    await untilEqual(async () => [await title.innerText(), await about.innerText()], before);
    await page.reload();
    await view3d.started();
    await untilEqual(async () => [await title.innerText(), await about.innerText()], before);
    await view3d.enter('gravity-y', '-5');
    await untilEqual(() => title.innerText(), 'Sua própria cena');
    await look(`${preset}, edited`);
  }
  for (const solver of ['event-driven', 'soft-step', 'baseline']) {
    await view3d.solver(solver);
    await look(solver);
  }
  for (const shape of ['sphere', 'box', 'cube', 'capsule', 'hull']) {
    await page.locator('.panel-objects .compact-select').selectOption(shape);
    const count = await view3d.bodies();
    await page.getByRole('button', { name: 'Adicionar', exact: true }).click();
    await view3d.untilBodies(count + 1);
    await view3d.field('body-turn-x').waitFor();
    await look(shape);
  }
  await view3d.enter('body-mass', '0');
  await look('a mass of nothing');
  await page.locator('input[name=colouring][value=speed]').check({ force: true });
  await page.locator('#broad-phase').waitFor();
  for (const [at, name] of [['Quantidade de movimento', 'momentum'], ['Custo', 'cost']]) {
    await page.locator('.panel-chart').getByText(at ?? '', { exact: true }).click();
    await look(name ?? '');
  }
  await page.locator('input[type=file]').setInputFiles({ name: 'bad.json', mimeType: 'application/json', buffer: Buffer.from('{"bodies": []}') });
  await view3d.untilBodies(0);
  await look('an empty world');
  await view3d.stage.press('?');
  await look('help');
});

pageTest('engine errors are shown in Portuguese', { hash: 'view=3d&preset=wrecking', locale: 'pt-BR' }, async ({ page, view3d }) => {
  await view3d.enter('gravity-y', '1e9');
  await page.locator('#gravity-y-problem').getByText('A gravidade é (0; 1e9; 0); cada número precisa ficar dentro de ±1e6.').waitFor();
  await view3d.field('gravity-y').press('Escape');

  const [form, width] = [page.locator('.panel-form'), () => page.locator('#preset').evaluate((select) => select.getBoundingClientRect().width)];
  const before = await width();
  await form.locator('#solver').selectOption('baseline');
  const problem = page.locator('#rules-problem');
  await problem.getByText('Este método não aceita juntas').waitFor();
  await view3d.untilAnnounced('Não aplicado: Este método não aceita juntas');
  // The active solver is selected, and its form is unchanged.
  await untilEqual(() => form.locator('#solver').inputValue(), 'soft-step');
  assert.equal(await width(), before);

  await page.locator('input[type=file]').setInputFiles({ name: 'bad.json', mimeType: 'application/json', buffer: Buffer.from('{"bodies": [{"colour": 1}]}') });
  await untilMatch(() => page.locator('.file-problem p').innerText(), /^Linha 1, coluna \d+: Corpo 0: não há aqui a chave “colour”/);
});

pageTest('bodies of presets are named in the page’s language, also spoken, and files keep their names', { hash: 'view=3d&preset=ramp', locale: 'pt-BR' }, async ({ page, view3d }) => {
  const rows = page.locator('.row-button');
  await untilEqual(async () => (await rows.allInnerTexts()).slice(0, 6), ['piso', 'rampa', 'poste', 'degrau', 'esfera 1', 'caixa 1']);
  await rows.nth(5).click();
  await view3d.untilAnnounced('caixa 1: selecionado.');
  await untilEqual(() => view3d.field('body-name').inputValue(), 'caixa 1');
  await view3d.enter('body-mass', '2');
  await view3d.untilAnnounced('caixa 1: alterado.');
  await view3d.stage.press('d');
  await view3d.untilAnnounced(/caixa 1 está selecionado: caixa em/);
  await page.getByLabel('Idioma').selectOption('en');
  await untilEqual(() => page.locator('#selection-title').innerText(), 'box 1');
  await page.getByRole('button', { name: 'Remove floor' }).waitFor();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save', exact: true }).click()]);
  const { bodies } = JSON.parse(await readFile(await file.path(), 'utf8'));
  assert.deepEqual([bodies[0].name, bodies[5].name], ['floor', 'box 1']);
  // A body added in Portuguese has no name of another.
  await page.getByLabel('Language').selectOption('pt-BR');
  await page.getByRole('button', { name: 'Adicionar', exact: true }).last().click();
  await untilEqual(() => page.locator('#selection-title').innerText(), 'esfera 31');
});
