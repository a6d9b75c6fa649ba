/** The state in the link, and reports of what no link can hold. */

import assert from 'node:assert/strict';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

import { pageTest } from '../harness/page-test.mjs';
import { untilMatch } from '../harness/until.mjs';

pageTest('a preset’s link holds step, camera, selection and speed', { hash: 'view=3d&preset=pyramid' }, async ({ page, view3d }) => {
  await view3d.go(90);
  const hash = await view3d.hash();
  await page.locator('.row-button').nth(4).click();
  const name = await page.locator('.objects-table tr.marked .row-button').innerText();
  await page.locator('.timeline-speed').selectOption('0.5');
  await view3d.stage.press('ArrowLeft');
  await view3d.stage.press('+');
  await page.getByRole('button', { name: 'Link' }).click();
  await view3d.untilAnnounced('Link copied.');
  const link = await page.evaluate(() => navigator.clipboard.readText());
  // The address becomes the same.
  await page.waitForURL((url) => url.href === link);
  const [step, selected, speed, camera] = ['step', 'selected', 'speed', 'camera'].map((name) => view3d.address().get(name));
  assert.deepEqual([step, selected, speed], ['90', '4', '0.5']);
  assert.notEqual(camera, null);

  await page.goto('about:blank');
  await page.goto(link);
  await view3d.started();
  await view3d.untilStep(90);
  await view3d.untilHash(hash);
  await page.locator('.objects-table tr.marked').getByText(name).waitFor();
  assert.equal(await page.locator('.timeline-speed').inputValue(), '0.5');
  await view3d.untilAddress((address) => address.get('camera') === camera);
  await view3d.stage.press('Home');
  await view3d.untilAddress((address) => !address.has('camera'));
});

pageTest('a link to a paused step opens paused', { hash: 'view=3d&preset=cradle&step=30', motion: 'no-preference' }, async ({ page, view3d }) => {
  await view3d.untilStep(30);
  await page.getByRole('button', { name: 'Play' }).waitFor();
  await page.waitForTimeout(300);
  assert.equal(await view3d.last(), 30);
});

pageTest('the link of an edited scene is its current state', { hash: 'view=3d&preset=dzhanibekov' }, async ({ page, view3d }) => {
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await view3d.untilBodies(2);
  // At once: the link waits for the scene JSON.
  await page.getByRole('button', { name: 'Link' }).click();
  await view3d.untilAnnounced('Link copied.');
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /#view=3d&scene=[\w-]{100}/);
  await view3d.go(50);
  await page.locator('.row-button').first().click();
  // The previously selected box has not turned; its fields are replaced when the handle is
  // selected.
  const before = await view3d.field('body-turn-x').inputValue();
  assert.notEqual(before, '0');
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await page.getByRole('button', { name: 'Link' }).click();
  const link = await untilMatch(() => page.evaluate(() => navigator.clipboard.readText()), /^http/);
  // The address becomes the same.
  await view3d.untilAddress((address) => address.get('scene') === new URLSearchParams(new URL(link).hash.slice(1)).get('scene'));
  await page.goto('about:blank');
  await page.goto(link);
  await view3d.started();
  await view3d.untilBodies(2);
  assert.equal(await view3d.field('body-turn-x').inputValue(), before);
});

pageTest('pausing an edited scene writes its current state to the address', { hash: 'view=3d&preset=dzhanibekov' }, async ({ page, view3d }) => {
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await view3d.untilBodies(2);
  await page.getByRole('button', { name: 'Play' }).click();
  await view3d.pastStep(40);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Play' }).waitFor();
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await page.getByRole('button', { name: 'Link' }).click();
  const link = new URL(await untilMatch(() => page.evaluate(() => navigator.clipboard.readText()), /^http/));
  await view3d.untilAddress((address) => address.get('scene') === new URLSearchParams(link.hash.slice(1)).get('scene'));
});

pageTest(
  'after a failure an unedited preset and an edited world keep their title and address',
  { hash: 'view=3d&preset=cradle', expectedErrors: /unreachable|engine|worker/i },
  async ({ page, view3d }) => {
    const crash = async () => {
      // Like an engine without memory.
      await page.workers().at(-1)?.evaluate(() => void setTimeout(() => { throw new Error('unreachable'); }));
      const alert = page.getByRole('alert');
      await alert.getByRole('button', { name: 'Start again' }).click();
      await alert.waitFor({ state: 'detached' });
    };
    await crash();
    await view3d.untilBodies(6);
    assert.equal(await page.locator('#preset').inputValue(), 'cradle');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await view3d.untilBodies(7);
    await crash();
    await view3d.untilBodies(7);
    assert.equal(await page.locator('#preset').inputValue(), '');
    await view3d.untilAddress((address) => address.has('scene') && !address.has('preset'));
    await page.reload();
    await view3d.started();
    await view3d.untilBodies(7);
  },
);

pageTest('a scene too large for a link survives a reload, and elsewhere its loss is reported', { hash: 'view=3d&preset=gas' }, async ({ page, view3d, context }) => {
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await view3d.untilBodies(301);
  await view3d.untilAddress((address) => /^too-large\.\w+$/.test(address.get('scene') ?? ''));
  const hash = await view3d.hash();
  await page.reload();
  await view3d.started();
  await view3d.untilBodies(301);
  await view3d.untilHash(hash);
  assert.equal(await page.locator('.notice').count(), 0);

  const other = await context.newPage();
  await other.goto(page.url());
  await other.locator('.notice').getByText(/too large/).waitFor();
  await other.locator('#stage-title').getByText('Ramp and obstacles').waitFor();
  await other.close();
});

pageTest(
  'a link with an invalid scene shows the error with its line, and the default scene',
  { hash: `view=3d&scene=${packed('{"bodies": [\n {"shape": {"cube": {"half": -1}}, "mass": 1}]}')}` },
  async ({ page }) => {
    await page.locator('.file-problem').getByText(/^Line 2, column \d+: Body \d+: Cube: /).waitFor();
    await page.locator('.notice').getByText(/could not be read/).waitFor();
    await page.locator('#stage-title').getByText('Ramp and obstacles').waitFor();
    assert.match(await page.locator('.file-lines .wrong').innerText(), /"half": -1/);
  },
);

pageTest('undo without edits is announced, and a preset stays one; undone to the beginning it is one again', { hash: 'view=3d&preset=cradle' }, async ({ page, view3d }) => {
  const isPreset = () => page.locator('#preset').inputValue();
  await view3d.stage.press('u');
  await view3d.untilAnnounced('Nothing to undo.');
  await view3d.stage.press('y');
  await view3d.untilAnnounced('Nothing to redo.');
  assert.equal(await isPreset(), 'cradle');
  await view3d.untilAddress((address) => address.get('preset') === 'cradle');

  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await view3d.untilBodies(7);
  await page.waitForFunction(() => document.querySelector('#preset')?.value === '');
  const mine = '{"name": "Mine", "bodies": [{"shape": {"sphere": {"radius": 1}}, "mass": 1}]}';
  await page.locator('input[type=file]').setInputFiles({ name: 'mine.json', mimeType: 'application/json', buffer: Buffer.from(mine) });
  await view3d.untilBodies(1);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await view3d.untilBodies(2);
  await view3d.stage.press('u');
  await view3d.untilBodies(1);
  // Not the previous preset: the user's own scene.
  assert.equal(await isPreset(), '');
  await page.locator('#stage-title').getByText('Mine').waitFor();
  await view3d.untilAddress((address) => address.has('scene') && !address.has('preset'));
});

pageTest('choosing another scene keeps the user’s own in the history, and says so', { hash: 'view=3d&preset=cradle' }, async ({ page, view3d }) => {
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await view3d.untilBodies(7);
  await view3d.untilAddress((address) => address.has('scene'));
  await view3d.preset('pyramid');
  await page.locator('.toast').getByText('Undo, or Back in the browser, restores your scene.').waitFor();
  await view3d.preset('gas');
  await view3d.untilBodies(300);
  await page.goBack();
  await view3d.untilBodies(7);
  assert.equal(await page.locator('#preset').inputValue(), '');
});

pageTest('choosing another scene right after an edit keeps the user’s own with that edit', { hash: 'view=3d&preset=cradle' }, async ({ page, view3d }) => {
  // Without delay: the stage has not yet received the edit.
  const editAndChoose = (/** @type {string} */ preset) =>
    page.evaluate((wanted) => {
      const button = [...document.querySelectorAll('.panel-objects button')].find(({ textContent }) => textContent === 'Add');
      const select = document.querySelector('#preset');
      if (button === undefined || !(select instanceof HTMLSelectElement)) throw new Error('there is no such form');
      button.click();
      select.value = wanted;
      select.dispatchEvent(new Event('change', { bubbles: true }));
    }, preset);
  for (const [preset, others, bodies] of /** @type {const} */ ([['pyramid', 106, 7], ['gas', 300, 8]])) {
    await editAndChoose(preset);
    await page.locator('.toast').getByText(`: ${others} bodies. Undo, or Back in the browser, restores your scene.`).waitFor();
    // Going back at once leaves an entry with a link of its own.
    assert.equal(await page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get('preset')), preset);
    await page.goBack();
    await view3d.untilBodies(bodies);
    assert.equal(await page.locator('#preset').inputValue(), '');
  }
  // No scene of the user is replaced here, so nothing is announced.
  await page.goForward();
  await view3d.untilBodies(300);
  await page.locator('.toast').waitFor({ state: 'detached' });
  const entries = await page.evaluate(() => history.length);
  await view3d.preset('dzhanibekov');
  await view3d.untilBodies(1);
  await view3d.untilAnnounced(/: 1 body\./);
  assert.equal(await page.locator('.toast').count(), 0);
  assert.equal(await page.evaluate(() => history.length), entries);
});

pageTest('choosing another scene during playback keeps the user’s own in its current state', { hash: 'view=3d&preset=dzhanibekov', motion: 'no-preference' }, async ({ page, view3d }) => {
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await view3d.untilBodies(2);
  await view3d.untilAddress((address) => address.has('scene'));
  const edited = view3d.address().get('scene');
  await view3d.pastStep((await view3d.step()) + 40);
  await view3d.preset('pyramid');
  await page.locator('.toast').getByText('Undo, or Back in the browser, restores your scene.').waitFor();
  // Otherwise it would keep playing, and the address would change.
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Play' }).waitFor();
  await page.goBack();
  await view3d.untilBodies(2);
  const left = view3d.address().get('scene');
  const [before, after] = [edited, left].map((scene) => JSON.parse(inflateRawSync(Buffer.from(scene ?? '', 'base64url')).toString()));
  assert.equal(after.bodies.length, 2);
  assert.notDeepEqual(after.bodies[0], before.bodies[0], 'it has turned since the edit');
});

pageTest('history navigation restores each of two scenes too large for a link', { hash: 'view=3d&preset=gas' }, async ({ page, view3d }) => {
  const gas = await view3d.hash();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await view3d.untilBodies(301);
  await view3d.untilOtherHash(gas);
  const hash = await view3d.hash();
  const bodies = Array.from({ length: 400 }, (_, place) => ({ shape: { sphere: { radius: 0.3 + (Math.sin(place) + 1) / 10 } }, mass: 1, position: [place % 20, 1 + Math.cos(place) / 7, Math.floor(place / 20)] }));
  await page.locator('input[type=file]').setInputFiles({ name: 'many.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify({ name: 'Many', bodies })) });
  await view3d.untilBodies(400);
  await page.locator('.toast').getByText('Undo, or Back in the browser, restores your scene.').waitFor();
  await view3d.untilAddress((address) => /^too-large\./.test(address.get('scene') ?? ''));
  await view3d.untilOtherHash(hash);
  const many = await view3d.hash();
  await page.goBack();
  await view3d.untilBodies(301);
  await view3d.untilHash(hash);
  await page.goForward();
  await view3d.untilBodies(400);
  await view3d.untilHash(many);
  assert.equal(await page.locator('.notice').count(), 0);
});

pageTest('a scene that cannot be stored is restored by undo, but not by the history; leaving the page asks first', {
  expectedErrors: /a dialog of the browser/,
  hash: 'view=3d&preset=gas',
  before: () => {
    // Session storage without capacity.
    Storage.prototype.setItem = () => {
      throw new DOMException('no room', 'QuotaExceededError');
    };
  },
}, async ({ page, view3d }) => {
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await view3d.untilBodies(301);
  // Browsers ask only after a gesture: the click on Add.
  /** @type {string[]} */
  const dialogs = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.type());
    void dialog.dismiss();
  });
  await page.waitForTimeout(600);
  await page.reload({ timeout: 2000 }).catch(() => undefined);
  assert.deepEqual(dialogs, ['beforeunload']);
  assert.equal(await view3d.bodies(), 301, 'the page stays');
  await view3d.preset('cradle');
  await page.locator('.toast').getByText(': 6 bodies. Undo restores your scene.').waitFor();
  await page.locator('.panel-objects').getByRole('button', { name: 'Undo' }).click();
  await view3d.untilBodies(301);
});

/** @param {string} text */
function packed(text) {
  return deflateRawSync(text).toString('base64url');
}
