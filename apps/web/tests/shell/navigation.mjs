/** Navigation between views: messages belong to the view that gave them. */

import assert from 'node:assert/strict';

import { pageTest } from '../harness/page-test.mjs';
import { untilEqual } from '../harness/until.mjs';

pageTest('a new view is announced, and messages and notices of the other are removed', { hash: 'n=none&rubbish=1' }, async ({ page, view, viewRays }) => {
  await page.locator('.notice').waitFor();
  await view.untilAnnounced('could not be read');
  await page.getByRole('link', { name: 'Rays and meshes' }).click();
  await untilEqual(() => page.locator('.notice').count(), 0);
  await view.untilAnnounced('Rays and meshes opened.');
  // A later message, such as the end of the heat maps, removes the description.
  await viewRays.untilHeatMaps();
  await page.locator('.toolbar').getByRole('button', { name: 'Describe' }).click();
  await page.locator('.toast').waitFor();
  await page.getByRole('link', { name: 'Studies' }).click();
  await view.untilAnnounced('Studies opened.');
  assert.equal(await page.locator('.toast').count(), 0);
  await page.goBack();
  await view.untilAnnounced('Rays and meshes opened.');
});

const LAPTOP = { width: 1366, height: 768 };
/** Each view with a stage, and a hash that opens it. */
const STAGES = { '2D broad phase': 'n=200', '3D simulator': 'view=3d&preset=ramp', 'Rays and meshes': 'view=rays&scene=house' };

pageTest('the title of the stage has the same height in every view', { hash: STAGES['2D broad phase'], viewport: LAPTOP }, async ({ page }) => {
  const tops = [];
  for (const name of Object.keys(STAGES)) {
    await page.getByRole('link', { name }).click();
    await page.locator('.nav [aria-current=page]').getByText(name).waitFor();
    await page.locator('.stage canvas').waitFor();
    // The title of a scene is empty until the engine has opened it.
    await page.locator('#stage-title').getByText(/\S/).waitFor();
    tops.push(await page.locator('#stage-title').evaluate((title) => {
      const text = document.createRange();
      text.selectNodeContents(title);
      const { top, bottom } = text.getBoundingClientRect();
      return (top + bottom) / 2;
    }));
  }
  assert.ok(tops.every((top) => Math.abs(top - (tops[0] ?? 0)) <= 1), tops.join());
});

for (const [name, hash] of Object.entries(STAGES)) {
  for (const locale of ['en-US', 'pt-BR']) {
    pageTest(`no two controls have the same role and name, and no group repeats the name of its region: ${name}, ${locale}`, { hash, locale, skipStart: true }, async ({ page, context, viewRays }) => {
      await page.locator('.stage canvas').waitFor();
      if (hash.startsWith('view=rays')) await viewRays.untilHeatMaps();
      await page.waitForFunction(() => /\d/.test(document.querySelector('#stage-description')?.textContent ?? ''));
      const devtools = await context.newCDPSession(page);
      const { nodes } = await devtools.send('Accessibility.getFullAXTree');
      assert.deepEqual(doubled(nodes), []);
    });
  }
}

/** Rows and items repeat the controls of their list. */
const LISTS = new Set(['row', 'listitem', 'table', 'grid']);
const GROUPS = new Set(['group', 'radiogroup']);

/**
 * Doubled names in an accessibility tree.
 *
 * @param {any[]} nodes
 */
function doubled(nodes) {
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const nameOf = (/** @type {any} */ node) => String(node?.name?.value ?? '').trim();
  const roleOf = (/** @type {any} */ node) => String(node?.role?.value ?? '');
  /** @param {any} node */
  const ancestors = (node) => {
    const found = [];
    for (let at = byId.get(node.parentId); at !== undefined; at = byId.get(at.parentId)) found.push(at);
    return found;
  };
  const wrong = [];
  const seen = new Set();
  for (const node of nodes) {
    if (node.ignored) continue;
    const [role, name] = [roleOf(node), nameOf(node)];
    const isFocusable = (node.properties ?? []).some((/** @type {any} */ each) => each.name === 'focusable' && each.value.value === true);
    if (isFocusable && role !== 'option' && !ancestors(node).some((each) => LISTS.has(roleOf(each)))) {
      if (seen.has(`${role} ${name}`)) wrong.push(`two of ${role} “${name}”`);
      seen.add(`${role} ${name}`);
    }
    if (GROUPS.has(role) && name !== '') {
      const region = ancestors(node).find((each) => !each.ignored && nameOf(each) !== '');
      const children = nodes.filter((each) => !each.ignored && roleOf(each) !== 'LegendText' && each.parentId === node.nodeId);
      if (region !== undefined && nameOf(region) === name) wrong.push(`${role} in ${roleOf(region)} “${name}”`);
      if (children.length === 1 && nameOf(children[0]) === name) wrong.push(`${role} of one ${roleOf(children[0])} “${name}”`);
    }
  }
  return wrong;
}
