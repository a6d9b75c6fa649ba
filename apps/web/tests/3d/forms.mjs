/** Forms of the 3D view change the world as typed. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

import { pageTest } from '../harness/page-test.mjs';
import { untilEqual } from '../harness/until.mjs';

pageTest('bounds are created around all bodies, moved, opened and removed; solvers and their tolerance are applied', { hash: 'view=3d&preset=wrecking' }, async ({ page, view3d }) => {
  const bounds = page.getByLabel('Bounds', { exact: true });
  await bounds.focus();
  await page.keyboard.press(' ');
  await view3d.field('least-x').waitFor();
  assert.ok(await bounds.evaluate((element) => element === document.activeElement), 'the focus stays on the switch');
  // The ball is farther than ten meters from the origin.
  assert.ok((await view3d.number('least-x')) < -10, 'the bounds enclose every body');
  // In succession, before the first response: the first edit used to be lost.
  await view3d.enter('least-x', '-21.5');
  await view3d.enter('most-y', '18');
  await view3d.untilAnnounced('Environment changed.');
  await untilEqual(() => view3d.number('least-x'), -21.5);
  await page.locator('input[name=bounds-mode][value=open]').check({ force: true });
  await untilEqual(async () => (await saved(page)).bounds?.mode, 'open');
  const { bounds: room } = await saved(page);
  assert.deepEqual([room.min[0], room.max[1]], [-21.5, 18]);
  await page.locator('input[name=bounds-mode][value=solid]').check({ force: true });
  await untilEqual(async () => (await saved(page)).bounds?.mode, 'solid');
  await bounds.uncheck();
  await view3d.field('least-x').waitFor({ state: 'detached' });
  assert.equal((await saved(page)).bounds, undefined);

  await view3d.preset('study-bounce');
  await view3d.solver('event-driven');
  await page.getByText('Energy is conserved').waitFor();
  await view3d.untilAnnounced('Method: Elastic.');
  const before = await view3d.hash();
  await view3d.go(10);
  assert.notEqual(await view3d.hash(), before);
  assert.equal((await saved(page)).solver, 'event-driven');
  await view3d.solver('baseline');
  await view3d.enter('tolerance', '0.02');
  await untilEqual(async () => (await saved(page)).tolerance, 0.02);
  await page.locator('#broad-phase option').getByText('Sweep, largest variance (study)').waitFor({ state: 'attached' });
  await page.locator('#integrator').selectOption('verlet');
  await untilEqual(async () => (await saved(page)).integrator, 'verlet');
  await page.locator('#broad-phase').selectOption('octree-strict');
  await view3d.enter('octree-depth', '5');
  await untilEqual(async () => (await saved(page)).octree?.max_depth, 5);
});

pageTest('every field of a body that has fallen is applied, and leaves the others unchanged', { hash: 'view=3d&preset=spheres' }, async ({ page, view3d }) => {
  await view3d.go(30);
  await page.locator('.row-button').nth(5).click();
  await view3d.field('body-turn-y').waitFor();
  const place = () => Promise.all(['x', 'y', 'z'].map((axis) => view3d.number(`body-position-${axis}`)));
  const [x, y, z] = await place();
  await view3d.enter('body-turn-y', '90');
  await view3d.untilAnnounced(/ changed\./);
  await untilEqual(() => view3d.number('body-turn-y'), 90);
  // It used to return to its initial position.
  assert.deepEqual(await place(), [x, y, z]);
  for (const [field, value] of /** @type {const} */ ([
    ['body-velocity-x', 2], ['body-spin-z', -3], ['body-friction', 0.9], ['body-restitution', 0.25], ['body-radius', 0.2],
  ])) {
    await view3d.enter(field, value);
    await untilEqual(() => view3d.number(field), value);
  }
  const own = async () => (await saved(page)).bodies[5];
  const ball = await own();
  assert.deepEqual([ball.velocity[0], ball.angular_velocity, ball.friction, ball.restitution, ball.shape], [2, [0, 0, -3], 0.9, 0.25, { sphere: { radius: 0.2 } }]);
  assert.ok(Math.abs(ball.orientation[1] - Math.SQRT1_2) < 1e-4, `${ball.orientation}`);

  await view3d.field('body-shape').selectOption('capsule');
  await view3d.enter('body-half-height', '0.3');
  await untilEqual(async () => (await own()).shape.capsule?.half_height, 0.3);
  await view3d.field('body-shape').selectOption('box');
  await view3d.enter('body-half-y', '0.5');
  await untilEqual(async () => (await own()).shape.box?.half[1], 0.5);
  assert.deepEqual(await place(), [x, y, z], 'another shape keeps the position');
  await page.getByLabel('Fixed: never moves').check();
  await view3d.field('body-velocity-x').waitFor({ state: 'detached' });
  assert.equal((await own()).type, 'fixed');
  await page.getByLabel('Fixed: never moves').uncheck();
  await view3d.field('body-mass').waitFor();
  assert.equal((await own()).type, undefined);
});

pageTest('bodies added to bounds are placed inside, and copies beside each other', { hash: 'view=3d&preset=gas' }, async ({ page, view3d }) => {
  for (let added = 1; added <= 2; added += 1) {
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await view3d.untilBodies(300 + added);
  }
  await page.getByRole('button', { name: 'Duplicate' }).click();
  await view3d.untilBodies(303);
  const { bodies, bounds } = await saved(page);
  for (const { position, name } of bodies.slice(300)) {
    for (const axis of [0, 1, 2]) {
      assert.ok(position[axis] > bounds.min[axis] && position[axis] < bounds.max[axis], `${name} at ${position}`);
    }
  }
  assert.equal(new Set(bodies.slice(300).map(({ position }) => position.join())).size, 3);
});

pageTest('a recording that could not be reopened is not written, and that is reported', { hash: 'view=3d&preset=dzhanibekov', prepare: shortRecordings }, async ({ page, view3d }) => {
  await view3d.go(8);
  await page.getByRole('button', { name: /^Save recording/ }).click();
  await page.locator('.file-problem').getByText('A recording has at most 5 steps, and this is step 8').waitFor();
  await view3d.go(4);
  await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: /^Save recording/ }).click()]);
});

/**
 * A stage with a low limit of steps, for a short test.
 *
 * @param {import('playwright-core').Page} page
 */
function shortRecordings(page) {
  return page.route('**/stage-worker-*.js', async (route) => {
    const answer = await route.fetch();
    const fewer = `{
      const { parse } = JSON;
      JSON.parse = (...given) => {
        const value = parse(...given);
        return value?.mostSteps === undefined ? value : { ...value, mostSteps: 5 };
      };
    }
    `;
    await route.fulfill({ response: answer, body: `${fewer}${await answer.text()}` });
  });
}

/**
 * The saved scene.
 *
 * @param {import('playwright-core').Page} page
 */
async function saved(page) {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save', exact: true }).click()]);
  return JSON.parse(await readFile(await file.path(), 'utf8'));
}
