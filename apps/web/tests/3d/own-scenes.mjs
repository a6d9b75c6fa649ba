/** Scenes of one's own: from an empty world, with a name, and restored by undo. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

import { pageTest } from '../harness/page-test.mjs';
import { pixelsChanged } from '../harness/png.mjs';
import { untilEqual, untilTrue } from '../harness/until.mjs';

/** @typedef {import('playwright-core').Page} Page */

pageTest('a scene is built in an empty world, cleared, and restored by undo', { hash: 'view=3d&preset=empty' }, async ({ page, view3d }) => {
  assert.equal(await view3d.bodies(), 1);
  await add(page);
  await view3d.untilBodies(2);
  await view3d.go(90);
  await page.locator('.contacts-table th').getByText('floor').waitFor();
  const clear = page.getByRole('button', { name: 'Clear scene' });
  await clear.click();
  await view3d.untilBodies(0);
  await view3d.untilAnnounced('Scene cleared. Undo restores it.');
  await untilEqual(() => clear.getAttribute('aria-disabled'), 'true');
  // Without a floor there is a grid all the same.
  const grid = await view3d.settled();
  await view3d.stage.press('g');
  await view3d.untilPixels((picture) => pixelsChanged(picture, grid) > 500, 'no grid');
  await page.getByRole('button', { name: 'Undo' }).click();
  await view3d.untilBodies(2);
  await view3d.untilStep(90);
  await page.getByRole('button', { name: 'Undo' }).click();
  await view3d.untilBodies(1);
  await untilEqual(() => page.locator('#preset').inputValue(), 'empty');
});

pageTest('an edited scene has a name and description of its own: in title, file, link and after a reload', { hash: 'view=3d&preset=study-bounce' }, async ({ page, view3d }) => {
  const title = page.locator('#stage-title');
  assert.equal(await view3d.field('scene-name').count(), 0, 'a preset has a title');
  await add(page);
  await untilEqual(() => title.innerText(), 'Your own scene');
  assert.equal(await page.getByText('Five balls of different restitution').count(), 0);
  assert.equal((await saved(page)).scene.name, undefined);
  await view3d.enter('scene-name', 'Aula 3: colisões');
  await untilEqual(() => title.innerText(), 'Aula 3: colisões');
  await view3d.enter('scene-description', 'Two balls meet. Which one is heavier?');
  await view3d.untilAnnounced('Environment changed.');
  const { file, scene } = await saved(page);
  assert.deepEqual([file, scene.name, scene.description], ['aula-3-colisoes.json', 'Aula 3: colisões', 'Two balls meet. Which one is heavier?']);
  await view3d.untilAddress((address) => address.has('scene'));
  await page.waitForTimeout(500);
  await page.reload();
  await view3d.started();
  await untilEqual(() => title.innerText(), 'Aula 3: colisões');
  assert.equal(await view3d.field('scene-description').inputValue(), 'Two balls meet. Which one is heavier?');
});

pageTest('undo restores an edited scene after another was chosen, with its time and its edits; redo leads back', { hash: 'view=3d&preset=cradle' }, async ({ page, view3d }) => {
  await view3d.go(20);
  await add(page);
  await view3d.untilBodies(7);
  await view3d.go(40);
  const hash = await view3d.hash();
  // By arrow keys, each preset on the way is opened.
  for (const preset of ['gas', 'hulls', 'pyramid']) await view3d.preset(preset);
  await view3d.untilBodies(106);
  const [undo, redo] = ['Undo', 'Redo'].map((name) => page.locator('.panel-objects').getByRole('button', { name }));
  await undo?.click();
  await view3d.untilBodies(7);
  await view3d.untilStep(40);
  await view3d.untilHash(hash);
  await view3d.untilAnnounced('Undone. Your own scene: 7 bodies.');
  assert.equal(await page.locator('#preset').inputValue(), '');
  await redo?.click();
  await view3d.untilBodies(106);
  assert.equal(await page.locator('#preset').inputValue(), 'pyramid');
  await view3d.untilAnnounced('Redone. Pyramid: 106 bodies.');
  for (const bodies of [7, 6]) {
    await undo?.click();
    await view3d.untilBodies(bodies);
  }
  await view3d.untilStep(20);
  assert.equal(await page.locator('#preset').inputValue(), 'cradle');
  await view3d.go(40);
  await untilEqual(() => view3d.last(), 40);
});

pageTest('Fit shows bodies that were added on top of others', { hash: 'view=3d&preset=empty' }, async ({ page, view3d }) => {
  for (let count = 1; count <= 4; count += 1) {
    await add(page);
    await view3d.untilBodies(count + 1);
    await untilTrue(() => isInView(page), `body ${count} is on the stage`);
  }
  await view3d.stage.press('Home');
  await view3d.settled();
  for (const name of ['sphere 4', 'sphere 3', 'sphere 1']) {
    await page.locator('.row-button').getByText(name, { exact: true }).click();
    await page.locator('.stage-mark-name').getByText(name).waitFor();
    await untilTrue(() => isInView(page), `${name} is on the stage`);
  }
  // A stage of another size, too.
  await page.setViewportSize({ width: 1200, height: 700 });
  await view3d.settled();
  await page.locator('.row-button').getByText('sphere 4', { exact: true }).click();
  await untilTrue(() => isInView(page), 'sphere 4 is on the smaller stage');
});

pageTest('an added body is in view, close to what the camera looks at', { hash: 'view=3d&preset=wrecking' }, async ({ page, view3d }) => {
  for (let count = 0; count < 3; count += 1) {
    const bodies = await view3d.bodies();
    await add(page);
    await view3d.untilBodies(bodies + 1);
    await untilTrue(() => isInView(page), 'the body is on the stage');
  }
  await view3d.stage.press('Home');
  await view3d.settled();
  await untilTrue(() => isInView(page), 'also the whole scene contains it');
  // Zoomed in, it is still visible.
  for (let press = 0; press < 6; press += 1) await view3d.stage.press('+');
  const bodies = await view3d.bodies();
  await add(page);
  await view3d.untilBodies(bodies + 1);
  await untilTrue(() => isInView(page), 'the body is on the zoomed stage');
});

pageTest('a body on the floor has one contact; sides of the bounds are named by direction', { hash: 'view=3d&preset=empty' }, async ({ page, view3d }) => {
  await page.getByLabel('Bounds', { exact: true }).check();
  await view3d.field('least-x').waitFor();
  await add(page);
  await view3d.untilBodies(2);
  await view3d.go(120);
  const names = () => page.locator('.contacts-table tbody th').allInnerTexts();
  await untilEqual(names, ['floor']);
  await page.getByRole('button', { name: 'Remove floor' }).click();
  await view3d.untilBodies(1);
  await view3d.go(240);
  await untilEqual(names, ['floor of the bounds']);
  await view3d.enter('gravity-x', '20');
  await view3d.enter('gravity-y', '0');
  await view3d.go(480);
  await untilTrue(async () => (await names()).includes('wall +x of the bounds'), 'the wall is named');
  // A floor at the bottom of the bounds lowers them.
  const bottom = await view3d.number('least-y');
  await page.getByLabel('Obstacle to add').selectOption('floor');
  await page.getByRole('button', { name: 'Add obstacle' }).click();
  await view3d.untilBodies(2);
  await untilEqual(() => view3d.number('least-y'), bottom - 1);
});

pageTest('every kind of obstacle is added on the ground', { hash: 'view=3d&preset=empty' }, async ({ page, view3d }) => {
  let count = 1;
  for (const [kind, name] of [['block', 'block'], ['wall', 'wall'], ['ramp', 'ramp'], ['floor', 'floor 2']]) {
    await page.getByLabel('Obstacle to add').selectOption(kind ?? '');
    await page.getByRole('button', { name: 'Add obstacle' }).click();
    await view3d.untilBodies((count += 1));
    await page.locator('.obstacles').getByRole('button', { name: `Remove ${name}`, exact: true }).waitFor();
  }
  const { scene } = await saved(page);
  assert.ok(scene.bodies.every((/** @type {{ type: string }} */ { type }) => type === 'fixed'));
});

pageTest('a scene is run again from its start with another method, and the chart compares both runs', { hash: 'view=3d&preset=empty' }, async ({ page, view3d }) => {
  await add(page);
  await view3d.untilBodies(2);
  await page.locator('.panel-selection #body-restitution').waitFor();
  await view3d.enter('body-restitution', '0.5');
  await view3d.untilAnnounced(/changed/);
  const restart = page.getByRole('button', { name: 'Restart with this method' });
  assert.equal(await restart.getAttribute('aria-disabled'), 'true', 'at the start there is nothing to restart');
  for (const step of [30, 60, 90]) await view3d.go(step);
  const legend = page.locator('.panel-chart .chart-legend');
  assert.doesNotMatch(await legend.innerText(), /previous run/);
  await view3d.solver('event-driven');
  await restart.click();
  await view3d.untilStep(0);
  await legend.getByText('Total, previous run').waitFor();
  await untilEqual(() => view3d.last(), 0);
  assert.equal(await view3d.field('solver').inputValue(), 'event-driven');
  await view3d.go(60);
  assert.equal((await saved(page)).scene.solver, 'event-driven');
  // One undo restores the run, and with it the method.
  await page.getByRole('button', { name: 'Undo' }).click();
  await untilEqual(() => view3d.last(), 90);
});

pageTest('copying a link says from when on it shows the scene', { hash: 'view=3d&preset=cradle' }, async ({ page, view3d }) => {
  const copied = async (/** @type {string} */ words) => {
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.locator('.toast').getByText(`Link copied. ${words}`).waitFor();
  };
  await copied('It opens the scene at its start.');
  await view3d.go(30);
  await copied('It opens the scene at step 30; press Reset first to share the start.');
  await add(page);
  await view3d.untilBodies(7);
  await copied('It opens the scene in its current state (step 30), as a new start; press Reset first to share the original start.');
});

/**
 * Whether the center of the selected body is on the stage.
 *
 * @param {Page} page
 */
async function isInView(page) {
  const [mark, stage] = await Promise.all([page.locator('.stage-mark').boundingBox(), page.locator('.stage').boundingBox()]);
  return mark !== null && stage !== null && mark.x > stage.x && mark.x < stage.x + stage.width && mark.y > stage.y && mark.y < stage.y + stage.height;
}

/** @param {Page} page */
function add(page) {
  return page.getByRole('button', { name: 'Add', exact: true }).click();
}

/**
 * The saved scene and the name of its file.
 *
 * @param {Page} page
 */
async function saved(page) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save', exact: true }).click()]);
  return { file: download.suggestedFilename(), scene: JSON.parse(await readFile(await download.path(), 'utf8')) };
}
