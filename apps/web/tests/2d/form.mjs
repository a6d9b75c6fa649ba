/** The form of the scene, and its validation errors. */

import assert from 'node:assert/strict';

import { techniqueNames } from '../harness/program.mjs';
import { pageTest } from '../harness/page-test.mjs';
import { untilEqual } from '../harness/until.mjs';

pageTest('every field of the study’s form determines the scene', {}, async ({ page, view }) => {
  const values = { width: 800, height: 600, seed: 9, objects: 150, maxSize: 30, minSize: 10, maxSpeed: 200, minSpeed: 40 };
  for (const [field, value] of Object.entries(values)) {
    await view.enter(field, value);
  }
  await page.locator('.panel-form .segments').getByText('Circle').click();
  await view.technique('study-grid');
  await view.enter('cellSize', 40);
  await page.getByLabel('Draw cells').check();
  await view.untilAddress((address) => address.get('c') === '40' && address.get('cells') === '1');
  assert.equal(
    view.address().toString(),
    'view=2d&w=800&h=600&n=150&b=circle&s=10-30&v=40-200&t=study-grid&c=40&seed=9&cells=1',
  );
  await untilEqual(() => view.figure('objects'), 150);
  await page.getByRole('button', { name: 'Describe' }).click();
  await view.untilAnnounced('A world of 800 by 600 pixels with 150 moving circles.');
});

pageTest('a new seed creates a new world', {}, async ({ page, view }) => {
  const { tests } = await view.counts();
  await page.getByRole('button', { name: 'New seed' }).click();
  await view.untilAddress((address) => address.has('seed') && address.get('seed') !== '1');
  assert.equal(view.address().get('seed'), await view.field('seed').inputValue());
  await page.waitForFunction((before) => {
    const now = document.querySelector('[data-figure="tests"] .now')?.textContent ?? '';
    return Number(now.replace(/\D/g, '')) !== before;
  }, tests);
});

const REFUSED = [
  { field: 'minSize', value: '20', at: 'maxSize', words: 'max: Must not be below the minimum, 20.' },
  { field: 'minSpeed', value: '500', at: 'maxSpeed', words: 'max: Must not be below the minimum, 500.' },
  { field: 'objects', value: '0', words: 'At least 1.' },
  { field: 'objects', value: '10000000', words: 'At most 200,000.' },
  { field: 'objects', value: '2.5', words: 'Needs a whole number.' },
  { field: 'objects', value: '', words: 'Needs a number.' },
  { field: 'seed', value: '-1', words: 'At least 0.' },
  { field: 'width', value: '5', words: 'w: At least 10.' },
  { field: 'maxSpeed', value: '-3', words: 'max: At least 0.' },
  { field: 'cellSize', value: '5000', words: 'Larger than the world: at most 960.' },
  { field: 'cellSize', value: '0', words: 'At least 0.1.' },
  { field: 'cellSize', value: '0.5', words: 'Too many cells for this world: at least 0.721 px.' },
];

pageTest(
  'an invalid value is rejected beside its field, and the scene keeps running',
  { motion: 'no-preference', hash: 't=study-grid&c=24' },
  async ({ page, view }) => {
    for (const { field, value, at = field, words } of REFUSED) {
      const defaults = await view.field(field).inputValue();
      await view.field(field).fill(value);
      const problem = page.locator(`#${at}-problem`);
      await untilEqual(async () => (await problem.innerText()).trim(), words, `${field}=${value}`);
      assert.equal(await view.field(at).getAttribute('aria-invalid'), 'true');
      assert.equal(await view.field(at).getAttribute('aria-describedby'), `${at}-problem`);

      const { frame, objects } = await view.counts();
      assert.equal(objects, 600);
      await view.untilFrame(frame + 1);
      await view.enter(field, defaults);
      await problem.waitFor({ state: 'detached' });
    }
    assert.equal(await page.locator('.field-problem').count(), 0);
  },
);

pageTest('two errors in one row name their fields', {}, async ({ page, view }) => {
  for (const field of ['minSize', 'maxSize']) await view.field(field).fill('');
  await untilEqual(() => page.locator('.panel-form .field-problem').allInnerTexts(), ['min: Needs a number.', 'max: Needs a number.']);
});

pageTest('a technique can be changed while another field is invalid', {}, async ({ view }) => {
  await view.refused('objects', '0');
  await view.technique('tree');
  assert.equal(await view.page.locator('#objects-problem').innerText(), 'At least 1.');
  await view.enter('objects', '77');
  await view.untilAddress((address) => address.get('n') === '77' && address.get('t') === 'tree');
});

pageTest('the limit named by an error is accepted', { hash: 't=study-grid&w=5000&h=3000' }, async ({ view }) => {
  const text = await view.refused('cellSize', '1');
  await view.enter('cellSize', /at least ([\d.]+) px/.exec(text)?.[1] ?? 'a size');
  await view.untilAddress((address) => address.get('c') !== '24');
});

pageTest('an error disappears with a valid value, and follows the language', {}, async ({ page, view }) => {
  await view.refused('objects', '0');
  await view.untilAnnounced('Not applied. Total objects: At least 1.');
  await page.getByLabel('Language').selectOption('pt-BR');
  await view.untilAnnounced('Não aplicado. Total de objetos: No mínimo 1.');
  await view.enter('objects', '50');
  await page.waitForFunction(() => document.querySelector('[role="status"]')?.textContent === '');
});

pageTest('a grid states that it chooses its cells for a cell size of 0', { hash: 't=grid&c=0' }, async ({ page, view }) => {
  await page.getByText('0: the technique chooses its cells.').waitFor();
  assert.match((await view.field('cellSize').getAttribute('aria-describedby')) ?? '', /cellSize-note/);
  await view.field('technique').selectOption('study-grid');
  await page.locator('#cellSize-problem').getByText('At least 0.1.').waitFor();
  assert.equal(await page.getByText('chooses its cells.').count(), 0);
});

pageTest('the largest values fit in their fields', { viewport: { width: 1280, height: 800 } }, async ({ page, view }) => {
  const values = { width: 100000, height: 100000, maxSize: 100000, maxSpeed: 100000, minSpeed: 100000, minSize: 100000, objects: 200000, seed: 4294967295 };
  for (const locale of ['en', 'pt-BR']) {
    await page.locator('.settings select').first().selectOption(locale);
    for (const [field, value] of Object.entries(values)) {
      await view.field(field).fill(String(value));
      await page.waitForTimeout(20);
      const hidden = await view.field(field).evaluate((input) => input.scrollWidth - input.clientWidth);
      assert.ok(hidden <= 0, `${locale}, ${field}: ${hidden} px hidden`);
      const prefix = page.locator('.number', { has: view.field(field) }).locator('.number-prefix');
      if ((await prefix.count()) > 0) {
        const [text, figures] = await Promise.all([prefix.evaluate(rightOfText), view.field(field).evaluate(leftOfFigures)]);
        assert.ok(text <= figures, `${locale}, ${field}: its name ends at ${text}, the number begins at ${figures}`);
      }
    }
  }
});

/** @param {HTMLElement | SVGElement} element */
function rightOfText(element) {
  const range = document.createRange();
  range.selectNodeContents(element);
  return range.getBoundingClientRect().right;
}

/** @param {HTMLElement | SVGElement} element */
function leftOfFigures(element) {
  const style = getComputedStyle(element);
  const context = document.createElement('canvas').getContext('2d');
  context.font = style.font;
  const inner = element.getBoundingClientRect().right - Number.parseFloat(style.paddingRight) - 1;
  return inner - context.measureText(element.value).width;
}

pageTest('the techniques are those of the engine, each with an explanation', {}, async ({ page, view }) => {
  const options = await page.locator('#technique option').evaluateAll((all) => all.map((option) => option.getAttribute('value') ?? ''));
  assert.deepEqual([...options].sort(), (await techniqueNames()).sort());
  const explained = new Set();
  for (const name of options) {
    await view.technique(name);
    explained.add(await page.locator('#technique-about').innerText());
  }
  assert.equal(explained.size, options.length);
});

pageTest('another technique continues the same world', { hash: 'n=200&c=24&seed=3&t=brute' }, async ({ page, view }) => {
  const names = await techniqueNames();
  const pairs = [];
  for (const _ of names) {
    await view.step();
    pairs.push((await view.counts()).pairs);
  }
  await page.getByRole('button', { name: 'Reset' }).click();
  await page.waitForFunction(() => document.querySelector('.panel-live .end')?.textContent?.endsWith(' 0') === true);

  const tests = new Set();
  for (const [place, name] of names.entries()) {
    await view.technique(name);
    await view.step();
    const now = await view.counts();
    assert.deepEqual([now.frame, now.pairs + now.missed], [place + 1, pairs[place]], name);
    tests.add(now.tests);
  }
  assert.ok(tests.size > 4, `each technique has its own number of tests: ${[...tests]}`);
});

pageTest('Enter requests the scene once, and the following blur not again', { before: countScenes }, async ({ page, view }) => {
  const begun = await page.evaluate(() => globalThis.scenesAsked);
  await view.enter('seed', 41);
  await view.untilAddress((address) => address.get('seed') === '41');
  await view.field('objects').focus();
  await view.enter('objects', 42);
  await view.untilAddress((address) => address.get('n') === '42');
  assert.equal((await page.evaluate(() => globalThis.scenesAsked)) - begun, 2);
});

/** Counts the scenes requested from the worker. Runs in the page. */
function countScenes() {
  globalThis.scenesAsked = 0;
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (message, ...given) {
    globalThis.scenesAsked += message?.kind === 'start' ? 1 : 0;
    postMessage.call(this, message, ...given);
  };
}

pageTest('a number typed quickly loses no digit', {}, async ({ view }) => {
  const seen = await view.field('objects').evaluate(async (input) => {
    const shown = [];
    for (const typed of ['1', '12', '123']) {
      input.value = typed;
      input.dispatchEvent(new InputEvent('input', { bubbles: true }));
      // The page renders in between without presenting a picture, as when it is busy.
      for (let turn = 0; turn < 20; turn += 1) {
        await Promise.resolve();
        shown.push(input.value);
      }
    }
    return [...new Set(shown)];
  });
  assert.deepEqual(seen, ['1', '12', '123']);
  await view.untilAddress((address) => address.get('n') === '123');
});
