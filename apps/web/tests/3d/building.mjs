/** Editing a world and undo, by mouse and by keyboard alone. */

import assert from 'node:assert/strict';

import { DESKTOP, PHONE } from '../harness/browser.mjs';
import { pageTest } from '../harness/page-test.mjs';
import { untilEqual, untilTrue } from '../harness/until.mjs';

pageTest('a world is built by keyboard alone: empty, add, edit, run, delete, undo', { hash: 'view=3d&preset=dzhanibekov' }, async ({ page, view3d }) => {
  await view3d.tabTo(view3d.stage);
  await page.keyboard.press(']');
  await page.locator('.objects-table tr.marked').waitFor();
  await page.keyboard.press('Backspace');
  await view3d.untilBodies(0);

  await view3d.tabTo(page.getByLabel('Shape to add'));
  await page.keyboard.press('ArrowDown');
  await view3d.tabTo(page.getByRole('button', { name: 'Add', exact: true }));
  await page.keyboard.press('Enter');
  await view3d.untilBodies(1);
  await page.locator('#selection-title').getByText('box 1').waitFor();
  await view3d.tabTo(view3d.field('body-mass'));
  await view3d.type('3.5');
  await page.locator('.objects-table tr.marked').getByText('3.5').waitFor();

  // A mass of zero is rejected and announced, changes nothing, and stays for correction.
  await view3d.type('0');
  await page.locator('#body-mass-problem').getByText('Must be greater than 0.').waitFor();
  await view3d.untilAnnounced('Not applied. Mass (kg): Must be greater than 0.');
  await page.locator('.objects-table tr.marked').getByText('3.5').waitFor();
  assert.equal(await view3d.field('body-mass').inputValue(), '0');
  assert.equal(await view3d.field('body-mass').getAttribute('aria-invalid'), 'true');
  await page.keyboard.press('Escape');
  await page.locator('#body-mass-problem').waitFor({ state: 'detached' });
  await untilEqual(() => view3d.field('body-mass').inputValue(), '3.5');

  await page.keyboard.press('Shift+Tab');
  await view3d.tabTo(view3d.stage);
  await page.keyboard.press('.');
  await view3d.untilStep(1);
  const hash = await view3d.hash();
  await page.keyboard.press('Delete');
  await view3d.untilBodies(0);
  await page.keyboard.press('u');
  await view3d.untilBodies(1);
  // The undo is exact.
  await view3d.untilHash(hash);
  await page.keyboard.press('y');
  await view3d.untilBodies(0);
  for (let press = 0; press < 4; press += 1) {
    await page.keyboard.press('u');
  }
  await page.locator('#preset').locator('option:checked').getByText('Dzhanibekov’s handle').waitFor({ state: 'attached' });
  await untilEqual(() => page.getByRole('button', { name: 'Undo' }).getAttribute('aria-disabled'), 'true');
  await view3d.untilStep(0);
});

pageTest('a world is built by mouse: every shape added, edited, picked on the stage and duplicated', { hash: 'view=3d&preset=pyramid' }, async ({ page, view3d }) => {
  const shapes = { sphere: 'Sphere', box: 'Box', cube: 'Cube', capsule: 'Capsule', hull: 'Hull' };
  let bodies = await view3d.bodies();
  for (const [shape, name] of Object.entries(shapes)) {
    await page.getByLabel('Shape to add').selectOption(shape);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await view3d.untilBodies((bodies += 1));
    await page.locator('#selection-title').getByText(`${shape} 1`).waitFor();
    await page.locator('#body-shape option:checked').getByText(name).waitFor({ state: 'attached' });
  }
  await page.locator('#body-name').click();
  await page.locator('#body-name').fill('<img src=x onerror=alert(1)>');
  // Names are arbitrary text. A click elsewhere commits.
  await page.locator('#body-position-x').click();
  await page.locator('#selection-title').getByText('<img src=x onerror=alert(1)>').waitFor();
  assert.equal(await page.locator('main img').count(), 0);

  const box = await view3d.stage.boundingBox();
  assert.ok(box !== null);
  // The pyramid is in the center of the view.
  await page.mouse.click(box.x + box.width / 2, box.y + box.height * 0.6);
  await page.locator('#selection-title').getByText(/^box \d+\.\d+$/).waitFor();
  const title = page.locator('#selection-title');
  const name = await title.innerText();
  const row = page.locator('.objects-table tr.marked');
  const marked = () => row.locator('.row-button').innerText();
  await untilEqual(marked, name);
  await untilTrue(() => isInBox(row), 'the row of the picked body is visible');
  await page.getByRole('button', { name: 'Duplicate' }).click();
  await view3d.untilBodies(bodies + 1);
  await untilTrue(async () => (await title.innerText()) !== name, 'the copy is selected');
  await untilEqual(marked, await title.innerText());
  await untilTrue(() => isInBox(row), 'and its row is visible');
  const first = page.locator('.objects-table tr').nth(1);
  await first.click();
  await untilEqual(() => title.innerText(), await first.locator('.row-button').innerText());
  await view3d.stage.press('Escape');
  await page.locator('#selection-title').getByText('Selected body').waitFor();
});

pageTest('text typed during playback stays and is committed', { hash: 'view=3d&preset=spheres', motion: 'no-preference' }, async ({ page, view3d }) => {
  await view3d.pastStep(5);
  await page.locator('.row-button').nth(3).click();
  const entries = /** @type {const} */ ([['body-name', 'slowly typed name'], ['body-mass', '12.5'], ['body-position-x', '−33.25']]);
  for (const [id, text] of entries) {
    await view3d.field(id).click();
    await page.keyboard.press('Control+A');
    const before = await view3d.step();
    // Several reports arrive during typing.
    await page.keyboard.type(text, { delay: 90 });
    assert.equal(await view3d.field(id).inputValue(), text);
    await view3d.pastStep(before + 20);
    assert.equal(await view3d.field(id).inputValue(), text);
    await page.keyboard.press('Enter');
    await view3d.untilAnnounced(/ changed\./);
  }
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.locator('#selection-title').getByText('slowly typed name').waitFor();
  await page.locator('.objects-table tr.marked').getByText('12.5', { exact: true }).waitFor();
  await page.waitForFunction(() => /^−33\.2\d*$/.test(document.querySelector('#body-position-x')?.value));
});

pageTest('an invalid number is rejected at its field, in the page’s texts', { hash: 'view=3d&preset=spheres', locale: 'pt-BR' }, async ({ page, view3d }) => {
  await page.locator('.row-button').nth(3).click();
  const hash = await view3d.hash();
  const wrong = /** @type {const} */ ([
    ['seed', '', 'Precisa de um número.'],
    ['seed', '1,5', 'Precisa de um número inteiro.'],
    ['seed', '-1', 'No mínimo 0.'],
    ['seed', '4294967296', 'No máximo 4.294.967.295.'],
    ['substeps', '', 'Precisa de um número.'],
    ['substeps', '0', 'No mínimo 1.'],
    ['gravity-x', 'leve', 'x: Precisa de um número.'],
    ['gravity-y', '-9.807', 'y: Pode ser −9807 ou −9,807: escreva um dos dois.'],
    ['body-mass', '1.500', 'Pode ser 1500 ou 1,5: escreva um dos dois.'],
    ['body-mass', '0', 'Precisa ser maior que 0.'],
    ['body-restitution', '1,01', 'No máximo 1.'],
    ['body-friction', '', 'Precisa de um número.'],
    ['body-position-y', '', 'y: Precisa de um número.'],
    ['body-radius', '-2', 'Precisa ser maior que 0.'],
  ]);
  for (const [id, text, words] of wrong) {
    await view3d.enter(id, text);
    await page.locator(`#${id}-problem`).getByText(words, { exact: true }).waitFor();
    assert.equal(await view3d.field(id).getAttribute('aria-describedby'), `${id}-problem`);
    assert.equal(await view3d.field(id).inputValue(), text, 'the input stays for correction');
    await view3d.field(id).press('Escape');
    await page.locator(`#${id}-problem`).waitFor({ state: 'detached' });
  }
  assert.equal(await view3d.hash(), hash);
  // Two errors in one row name their axes.
  for (const axis of ['x', 'y']) await view3d.enter(`body-position-${axis}`, '');
  await untilEqual(() => page.locator('.panel-selection .field-problem').allInnerTexts(), ['x: Precisa de um número.', 'y: Precisa de um número.']);
  for (const axis of ['x', 'y']) await view3d.field(`body-position-${axis}`).press('Escape');
  // Errors that only the engine detects, too.
  await view3d.enter('body-spin-x', '1e39');
  await page.locator('#body-spin-x-problem').getByText('O número 1e39 está fora do alcance').waitFor();
  await view3d.field('body-spin-x').press('Escape');
  await view3d.enter('body-mass', '2,5');
  await page.locator('.objects-table tr.marked').getByText('2,5', { exact: true }).waitFor();
});

pageTest('the focus is kept when a body is deleted by key', { hash: 'view=3d&preset=ramp' }, async ({ page, view3d }) => {
  const before = await view3d.bodies();
  await view3d.tabTo(page.getByRole('button', { name: 'Remove ramp' }));
  for (let press = 1; press <= 3; press += 1) {
    await page.keyboard.press('Enter');
    await view3d.untilBodies(before - press);
  }
  await untilEqual(() => focused(page), 'Remove floor');
  await page.keyboard.press('Enter');
  await view3d.untilBodies(before - 4);
  await untilEqual(() => focused(page), 'Add obstacle');
  await page.locator('.row-button').first().click();
  await view3d.tabTo(page.getByRole('button', { name: 'Delete' }));
  await page.keyboard.press('Enter');
  await view3d.untilBodies(before - 5);
  await untilEqual(() => focused(page), 'Delete');
});

pageTest('a body is pulled by a spring during playback, and a ball is thrown', { hash: 'view=3d&preset=dzhanibekov', motion: 'no-preference' }, async ({ page, view3d }) => {
  await view3d.pastStep(5);
  const box = await view3d.stage.boundingBox();
  assert.ok(box !== null);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.locator('.row-button').first().click();
  await page.locator('#body-position-x').waitFor();
  await page.mouse.move(x, y);
  await page.mouse.down();
  // A quick movement followed by rest: the stage may receive it only after the grab.
  await page.mouse.move(x + 20, y - 10);
  await page.mouse.move(x + 160, y - 60);
  await page.waitForFunction(() => Math.hypot(...['x', 'y', 'z'].map((axis) => Number(document.querySelector(`#body-position-${axis}`)?.value.replace('−', '-')))) > 0.05);
  await page.mouse.up();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Play' }).waitFor();

  const pulled = await view3d.hash();
  await view3d.stage.press('t');
  await view3d.untilBodies(2);
  await view3d.untilAnnounced('Ball thrown.');
  await view3d.untilOtherHash(pulled);
  // Seeking back and forth replays the pull and the throw.
  const [step, hash] = [await view3d.last(), await view3d.hash()];
  await view3d.go(3);
  await view3d.untilBodies(1);
  await view3d.go(step);
  await view3d.untilBodies(2);
  await view3d.untilHash(hash);
});

pageTest('a body is pushed by keys relative to the view, and that can be undone', { hash: 'view=3d&preset=pyramid' }, async ({ page, view3d }) => {
  await view3d.tabTo(view3d.stage);
  await page.keyboard.press('Shift+ArrowRight');
  await view3d.untilAnnounced('Select a body first.');
  await page.keyboard.press(']');
  await page.locator('#selection-title').getByText('floor').waitFor();
  await page.keyboard.press('Shift+ArrowRight');
  await view3d.untilAnnounced('floor is fixed and cannot be pushed.');
  await page.keyboard.press('[');
  await page.locator('#selection-title').getByText('box 14.1').waitFor();
  await page.keyboard.press('Shift+PageUp');
  await page.waitForFunction(() => document.querySelector('#body-velocity-y')?.value === '1.5');
  await page.keyboard.press('Shift+ArrowRight');
  await page.waitForFunction(() => Number(document.querySelector('#body-velocity-x')?.value) > 1.3);
  await view3d.untilAnnounced('box 14.1 pushed.');
  await page.keyboard.press('u');
  // However quickly they follow, each push is undone separately.
  await page.waitForFunction(() => document.querySelector('#body-velocity-x')?.value === '0' && document.querySelector('#body-velocity-y')?.value === '1.5');
});

/** Rows per page. */
const A_PAGE = 20;

pageTest('every contact is in the paged list; a body’s list has only its own', { hash: 'view=3d&preset=pyramid' }, async ({ page, view3d }) => {
  await view3d.go(1);
  const panel = page.locator('.panel-contacts');
  const count = Number((await panel.locator('#contacts-title .small').innerText()).replace(',', ''));
  assert.ok(count > 200, `${count}`);
  let rows = 0;
  for (let shown = 0; shown < Math.ceil(count / A_PAGE); shown += 1) {
    if (shown > 0) {
      await panel.getByRole('button', { name: 'Later rows' }).click();
    }
    await panel.getByText(`Rows ${shown * A_PAGE + 1} to ${Math.min(count, shown * A_PAGE + A_PAGE)}`).waitFor();
    await page.waitForFunction((wanted) => document.querySelectorAll('.contacts-table tbody tr').length === wanted, Math.min(A_PAGE, count - shown * A_PAGE));
    rows += await panel.locator('tbody tr').count();
  }
  assert.equal(rows, count);
  assert.equal(await panel.getByRole('button', { name: 'Later rows' }).getAttribute('aria-disabled'), 'true');
  // The top one rests on two bodies, each with up to four points; its page lists no other body.
  await view3d.stage.press('[');
  await page.locator('#selection-title').getByText('box 14.1').waitFor();
  await panel.getByText('of box 14.1').waitFor();
  await page.waitForFunction(() => document.querySelectorAll('.contacts-table tbody tr').length <= 8);
  for (const name of await panel.locator('tbody th').allInnerTexts()) {
    assert.match(name, /^box 13\.[12]$/);
  }
  // Velocity is a vector.
  assert.equal(await panel.locator('tbody tr').first().locator('td').last().locator('span').count(), 3);
});

pageTest('the environment is edited field by field, and invalid values are rejected', { hash: 'view=3d&preset=spheres' }, async ({ page, view3d }) => {
  await page.getByLabel('Gravity', { exact: true }).uncheck();
  await view3d.untilAnnounced('Environment changed.');
  await page.locator('#gravity-y').waitFor({ state: 'detached' });
  await page.getByLabel('Gravity', { exact: true }).check();
  await view3d.enter('gravity-y', '-1.62');
  await page.waitForFunction(() => document.querySelector('#gravity-y')?.value === '−1.62');
  // Switched off and on again, gravity is restored.
  await page.getByLabel('Gravity', { exact: true }).uncheck();
  await page.locator('#gravity-y').waitFor({ state: 'detached' });
  await page.getByLabel('Gravity', { exact: true }).check();
  await page.waitForFunction(() => document.querySelector('#gravity-y')?.value === '−1.62');
  await view3d.enter('substeps', '8');
  await view3d.enter('time-step', '0.005');
  await page.waitForFunction(() => document.querySelector('#time-step')?.value === '0.005' && document.querySelector('#time-step-choice')?.value === '');
  await page.locator('#time-step-choice').selectOption('120');
  await page.waitForFunction(() => document.querySelector('#time-step')?.value === '0.008333333' && document.querySelector('#time-step-choice')?.value === '120');
  // After twelve steps of 1/120 s, a body in the air falls for a tenth of a second.
  await page.locator('.row-button').nth(5).click();
  await view3d.go(12);
  await page.waitForFunction(() => document.querySelector('#body-velocity-y')?.value === '−0.162');
  await view3d.solver('baseline');
  await page.locator('#broad-phase').selectOption('octree');
  await page.locator('#response').selectOption('positions');
  await page.waitForFunction(() => document.querySelector('#broad-phase')?.value === 'octree' && document.querySelector('#response')?.value === 'positions');
  const obstacles = await page.locator('.obstacles li').count();
  for (let added = 1; added <= 2; added += 1) {
    await page.getByRole('button', { name: 'Add obstacle' }).click();
    await page.locator('.obstacles li').nth(obstacles + added - 1).waitFor();
  }
  const places = await page.locator('.obstacles li').evaluateAll((items) => items.map((item) => [...item.querySelectorAll('.muted')].map(({ textContent }) => textContent).join(' ')));
  assert.equal(new Set(places).size, obstacles + 2, `obstacles at the same position: ${places}`);
  await page.getByRole('button', { name: 'Remove block', exact: true }).click();
  await page.locator('.obstacles li').nth(obstacles + 1).waitFor({ state: 'detached' });
  await view3d.go(20);
  assert.equal(await page.locator('.costs tbody tr').count(), 4);
  assert.match(await page.locator('[data-cost=move]').innerText(), /\d\.\d{3}\s+62 bodies/);
});

pageTest('a long error makes no form wider, and disappears with the world it refers to', { hash: 'view=3d&preset=cradle', viewport: PHONE }, async ({ page, view3d }) => {
  const title = { name: 'a name of a scene that is much longer than any phone is wide, and longer than its field on the desktop', bodies: [] };
  const widths = () => page.evaluate(() => [document.documentElement.scrollWidth, document.querySelector('#gravity-y')?.getBoundingClientRect().width]);
  const before = await widths();
  await view3d.enter('gravity-y', '1e9');
  await page.locator('#gravity-y-problem').getByText('Gravity is (0, 1e9, 0); each number must lie within ±1e6.').waitFor();
  assert.deepEqual(await widths(), before);
  await view3d.preset('pyramid');
  await page.locator('#gravity-y-problem').waitFor({ state: 'detached' });
  assert.equal(await view3d.field('gravity-y').inputValue(), '−9.81');
  // A long name neither.
  await page.locator('input[type=file]').setInputFiles({ name: 'long.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(title)) });
  await view3d.untilBodies(0);
  for (const size of [PHONE, DESKTOP]) {
    await page.setViewportSize(size);
    await untilTrue(async () => (await page.evaluate(() => document.documentElement.scrollWidth)) <= size.width, 'the page is no wider than its window');
    const [name, buttons] = await Promise.all([page.locator('#stage-title').boundingBox(), page.locator('.files').boundingBox()]);
    assert.ok(name !== null && buttons !== null);
    assert.ok(name.x + name.width <= buttons.x + 0.5 || name.y + name.height <= buttons.y + 0.5, JSON.stringify({ name, buttons }));
  }
});

pageTest('a selected body is named at once, with its own numbers or none', { hash: 'view=3d&preset=ramp', before: installDeafness }, async ({ page, view3d }) => {
  const title = page.locator('#selection-title');
  const [mass, place] = [page.locator('#body-mass'), page.locator('#body-position-x')];
  const named = (/** @type {number} */ row) => page.locator('.row-button').nth(row).innerText();
  const inTable = (/** @type {number} */ row) => page.locator('.objects-table tbody tr').nth(row).locator('td[data-column=x]').innerText();
  await page.locator('.row-button').nth(6).click();
  await mass.waitFor();
  await page.evaluate(() => globalThis.beDeaf());
  await view3d.stage.focus();
  for (const key of [']', ']', ']', '[']) await page.keyboard.press(key);
  await untilEqual(() => title.innerText(), await named(8));
  assert.equal(await place.count(), 0, 'no values of another body are shown under its name');
  await view3d.untilAnnounced(`${await named(8)} selected.`);
  await view3d.stage.press('d');
  await view3d.untilAnnounced(`${await named(8)} is selected: `);
  await page.evaluate(() => globalThis.hearAgain());
  await place.waitFor();
  const [own, there] = [await place.inputValue(), await inTable(8)].map((text) => Number(text.replace('−', '-')));
  assert.ok(Math.abs(own - there) < 0.006, `${own} and ${there}`);
  // None of the successive responses reverted the selection.
  assert.equal(await title.innerText(), await named(8));
  assert.match(await page.getByRole('status').innerText(), / is selected: /, 'nor the description that was requested since');
});

pageTest('an unanswered selection does not block clicks in the next world', {
  hash: 'view=3d&preset=ramp',
  before: () => {
    // Like a stage without a world.
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (...given) {
      if (given[0]?.kind === 'select') globalThis.unanswered = true;
      else postMessage.apply(this, given);
    };
  },
}, async ({ page, view3d }) => {
  await page.locator('.row-button').nth(6).click();
  await page.waitForFunction(() => globalThis.unanswered);
  await view3d.preset('dzhanibekov');
  await view3d.untilBodies(1);
  const name = await page.locator('.row-button').first().innerText();
  await page.locator('#selection-title').getByText('Selected body').waitFor();
  await view3d.settled();
  await view3d.stage.click();
  await untilEqual(() => page.locator('#selection-title').innerText(), name);
});

/** Delays messages to the stage. Runs in the page, before its own scripts. */
function installDeafness() {
  const { postMessage } = Worker.prototype;
  /** @type {(() => void)[]} */
  let unheard = [];
  let isDeaf = false;
  Worker.prototype.postMessage = function (...given) {
    if (isDeaf) unheard.push(() => postMessage.apply(this, given));
    else postMessage.apply(this, given);
  };
  globalThis.beDeaf = () => (isDeaf = true);
  globalThis.hearAgain = () => {
    isDeaf = false;
    for (const receive of unheard.splice(0)) receive();
  };
}

/**
 * @param {import('playwright-core').Page} page
 */
function focused(page) {
  return page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent);
}

/**
 * Whether a row is within the visible part of its table.
 *
 * @param {import('playwright-core').Locator} row
 */
function isInBox(row) {
  return row.evaluate((element) => {
    const [own, box] = [element.getBoundingClientRect(), element.closest('.table-scroll')?.getBoundingClientRect()];
    return box !== undefined && own.top >= box.top - 1 && own.bottom <= box.bottom + 1;
  });
}
