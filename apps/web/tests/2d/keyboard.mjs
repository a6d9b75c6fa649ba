/** The 2D view by keyboard alone; no test here uses a pointer. */

import assert from 'node:assert/strict';

import { pixelsChanged, pixelsOf } from '../harness/png.mjs';
import { pageTest } from '../harness/page-test.mjs';
import { untilEqual, untilTrue } from '../harness/until.mjs';

pageTest('Tab reaches every control once, in document order, with a visible focus', { hash: 't=study-grid', before: installNames }, async ({ page }) => {
  const expected = await page.evaluate(tabbable);
  /** @type {string[]} */
  const reached = [];
  for (;;) {
    await page.keyboard.press('Tab');
    const { name, ring } = await page.evaluate(focused);
    if (name === 'body' || reached.includes(name)) {
      break;
    }
    assert.ok(ring, `${name} shows that it has the focus`);
    reached.push(name);
  }
  assert.equal(reached[0], 'Skip to the stage');
  assert.deepEqual(reached, expected);
  assert.ok(reached.length > 30, `${reached.length} controls`);
  await page.keyboard.press('Shift+Tab');
  assert.notEqual((await page.evaluate(focused)).name, reached[0]);
});

pageTest('the skip link leads to the stage, and all its shortcuts work there', { hash: 'n=60&s=30-40&frames=2', before: installNames }, async ({ page, view }) => {
  const press = (/** @type {string} */ key) => page.keyboard.press(key);
  await press('Tab');
  await press('Enter');
  await untilEqual(async () => (await page.evaluate(focused)).name, await view.stage.getAttribute('aria-label'));

  await press('Space');
  await view.untilFrame(3);
  await press('Space');
  await page.locator('.toolbar .play').getByText('Play').waitFor();
  await press('.');
  await view.untilAnnounced(/^Frame \d+: /);
  const frame = /^Frame (\d+)/.exec((await view.status.textContent()) ?? '')?.[1];
  await view.untilFrame(Number(frame));
  await press('r');
  await page.waitForFunction(() => document.querySelector('.panel-live .end')?.textContent?.endsWith(' 0') === true);

  for (const [key, label] of [['g', 'Draw cells'], ['b', 'Bounding boxes']]) {
    const isOn = () => page.getByLabel(label ?? '').isChecked();
    await press(key ?? '');
    await untilEqual(isOn, true);
    await press((key ?? '').toUpperCase());
    await untilEqual(isOn, false, 'with Shift or Caps Lock too');
  }

  const title = page.locator('#selection-title');
  await press(']');
  await title.getByText('Object 0').waitFor();
  await press(']');
  await title.getByText('Object 1', { exact: true }).waitFor();
  await press('[');
  await press('[');
  await title.getByText('Object 59').waitFor();
  await press('Escape');
  await title.getByText('Selected object').waitFor();

  // The deselection is announced before it is drawn.
  await view.untilPixels((picture) => pixelsOf(picture, '#f0e442') === 0, 'nothing selected');
  const whole = await view.settled();
  const until = (/** @type {(changed: number) => boolean} */ fits, /** @type {string} */ what) =>
    view.untilPixels((picture) => fits(pixelsChanged(picture, whole)), what);
  await press('+');
  await until((changed) => changed > 2000, 'nearer');
  await press('-');
  await until((changed) => changed === 0, 'back');
  await press('+');
  await press('ArrowLeft');
  await press('ArrowDown');
  await until((changed) => changed > 2000, 'moved');
  await press('Home');
  await until((changed) => changed === 0, 'the whole world');

  await press('d');
  await view.untilAnnounced('A world of 960 by 540 pixels with 60 moving boxes.');
  await press('m');
  await untilEqual(() => page.locator('.toolbar').getByRole('button', { name: 'Sound' }).getAttribute('aria-pressed'), 'true');
  await press('m');
  await press('e');
  await view.experiments.locator('.table tbody tr').nth(7).waitFor();
});

pageTest('the help dialog traps the focus, Escape closes it and the focus returns', { before: installNames }, async ({ page, view }) => {
  await view.stage.focus();
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await dialog.waitFor();
  assert.equal(await dialog.locator('dt').count(), 16);
  for (let press = 0; press < 6; press += 1) {
    await page.keyboard.press('Tab');
    const inside = await page.evaluate(() => document.activeElement === document.body || document.activeElement?.closest('dialog') !== null);
    assert.ok(inside, 'the focus stays inside');
  }
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await untilEqual(async () => (await page.evaluate(focused)).name, await view.stage.getAttribute('aria-label'));

  await page.getByRole('button', { name: 'Keyboard shortcuts' }).press('Enter');
  await dialog.waitFor();
  await dialog.getByRole('button', { name: 'Close' }).press('Enter');
  await dialog.waitFor({ state: 'hidden' });
  await untilEqual(async () => (await page.evaluate(focused)).name, 'Keyboard shortcuts');
});

pageTest('single-key shortcuts can be turned off, and stay off', {}, async ({ page, view }) => {
  await view.stage.press('?');
  await page.getByLabel('Enable shortcuts').press('Space');
  await untilTrue(async () => !(await page.getByLabel('Enable shortcuts').isChecked()));
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  const areOff = async () => {
    for (const key of ['Space', '.', 'g', 'e', '?', ']']) {
      await view.stage.press(key);
    }
    // The effect of a key would be visible before this step.
    await view.step();
    assert.equal(await view.frame(), 1);
    assert.ok(!(await page.getByLabel('Draw cells').isChecked()));
    assert.equal(await page.getByRole('dialog').count(), 0);
    assert.equal(await page.locator('.experiment-progress').count(), 0);
    assert.equal(await page.locator('[aria-keyshortcuts]').count(), 0);
  };
  await areOff();
  await page.reload();
  await view.started();
  await areOff();
});

pageTest('shortcuts do not act in fields, nor with Ctrl', {}, async ({ page, view }) => {
  await view.field('objects').focus();
  for (const key of ['.', 'r', 'g', 'e', 'd', '?']) {
    await page.keyboard.press(key);
  }
  await view.stage.press('Control+g');
  await view.stage.press('Alt+b');
  // The effect of a key would be visible before this step.
  await view.step();
  assert.equal(await view.frame(), 1);
  assert.ok(!(await page.getByLabel('Draw cells').isChecked()));
  assert.ok(!(await page.getByLabel('Bounding boxes').isChecked()));
  assert.equal(await page.getByRole('dialog').count(), 0);
});

pageTest('a scene is created, measured and exported by keyboard alone', { before: installNames }, async ({ page, view }) => {
  const to = async (/** @type {string} */ name) => {
    for (let press = 0; press < 80; press += 1) {
      await page.keyboard.press('Tab');
      if ((await page.evaluate(focused)).name === name) {
        return;
      }
    }
    assert.fail(`Tab does not reach ${name}`);
  };
  await to('Total objects');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('123');
  await page.keyboard.press('Enter');
  await view.untilAddress((address) => address.get('n') === '123');
  await to('Bounding shape: AABB');
  await page.keyboard.press('ArrowRight');
  await view.untilAddress((address) => address.get('b') === 'circle');
  await to('Broad phase');
  await page.keyboard.press('ArrowDown');
  await view.untilAddress((address) => address.get('t') !== 'auto');
  await to('Which experiment: Compare');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  await to('Frames');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('2');
  await to('Run');
  await page.keyboard.press('Enter');
  await view.experiments.locator('.table tbody tr').nth(7).waitFor();
  await page.locator('.experiment-progress').waitFor({ state: 'detached' });
  assert.equal((await page.evaluate(focused)).name, 'Run', 'the focus is not lost while it runs');
  await to('CSV');
  const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  assert.equal(file.suggestedFilename(), 'embate-compare.csv');
});

/** Accessible name of a control. Runs in the page, before its own scripts. */
function installNames() {
  globalThis.nameOf = (element) => {
    const [label] = element.labels ?? [];
    const own = element.getAttribute('aria-label') ?? label?.innerText ?? element.innerText;
    const words = own.split('\n')[0].trim();
    const group = element.type === 'radio' ? element.closest('fieldset')?.querySelector('legend')?.innerText : undefined;
    return group === undefined ? words : `${group}: ${words}`;
  };
}

/** Name and visibility of the focused element. Runs in the page. */
function focused() {
  const element = document.activeElement ?? document.body;
  const bearers = [element, element.nextElementSibling, element.closest('label')];
  const ring = bearers.some((bearer) => {
    const style = bearer === null ? null : getComputedStyle(bearer);
    return style !== null && style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 2;
  });
  return { name: element === document.body ? 'body' : globalThis.nameOf(element), ring };
}

/** Names of all tabbable elements, in document order. Runs in the page. */
function tabbable() {
  const candidates = document.querySelectorAll('a[href], button, input, select, summary, [tabindex]');
  return [...candidates]
    .filter((element) => element.tabIndex >= 0 && !element.disabled && element.closest('dialog:not([open])') === null)
    .filter((element) => element.type !== 'radio' || element.checked)
    .filter((element) => element.checkVisibility())
    .map((element) => globalThis.nameOf(element));
}
