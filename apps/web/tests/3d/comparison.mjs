/** Two methods side by side on one scene. */

import assert from 'node:assert/strict';

import { axe, violations } from '../harness/axe.mjs';
import { DESKTOP, PHONE, SMALL_PHONE } from '../harness/browser.mjs';
import { pageTest } from '../harness/page-test.mjs';
import { until, untilEqual, untilMatch, untilTrue } from '../harness/until.mjs';

const PANEL = '.panel-comparison';

/**
 * Number of a cell of the table of differences: 0 is A, 1 is B, 2 their difference.
 *
 * @param {import('playwright-core').Page} page
 * @param {'energy' | 'contacts' | 'cost'} quantity
 * @param {number} column
 */
async function cell(page, quantity, column) {
  const text = await page.locator(`${PANEL} [data-quantity=${quantity}] td`).nth(column).innerText();
  return Number(text.replace('−', '-').replaceAll(',', ''));
}

/**
 * Waits until both worlds are reported at a step.
 *
 * @param {import('playwright-core').Page} page
 * @param {number} step
 */
async function untilCompared(page, step) {
  await page.locator(`${PANEL}[data-compared-step="${step}"]`).waitFor();
}

pageTest('a second method runs in step from the same state, and its energy is that of the scene run with it', { hash: 'view=3d&preset=spheres' }, async ({ page, view3d }) => {
  await view3d.started();
  await view3d.field('compare-solver').selectOption('event-driven');
  await view3d.untilAnnounced('Comparing A, Soft contacts (Embate), with B, Elastic.');
  await untilCompared(page, 0);
  await page.locator(PANEL).getByText('All bodies are at the same positions in A and B.').waitFor();
  assert.equal(await cell(page, 'energy', 2), 0);

  await view3d.go(240);
  await untilCompared(page, 240);
  await page.locator(PANEL).getByText(/^Greatest distance between the positions of a body in A and B: [\d.,]+ m \(.+\)\./).waitFor();
  const [own, other, difference] = [await cell(page, 'energy', 0), await cell(page, 'energy', 1), await cell(page, 'energy', 2)];
  assert.ok(other > own, `elastic impacts lose no energy: ${own}, ${other}`);
  assert.ok(Math.abs(difference - (other - own)) <= 1e-3 * other + 1, `${difference}`);
  const hash = await view3d.hash();

  // Back and forth, both worlds together.
  await view3d.go(100);
  await untilCompared(page, 100);
  await view3d.go(240);
  await untilCompared(page, 240);
  await view3d.untilHash(hash);
  assert.equal(await cell(page, 'energy', 1), other);

  await view3d.field('compare-solver').selectOption('');
  await page.locator(PANEL).waitFor({ state: 'detached' });
  await view3d.solver('event-driven');
  await page.getByRole('button', { name: 'Restart with this method' }).click();
  await view3d.untilStep(0);
  await view3d.go(240);
  await view3d.field('compare-solver').selectOption('soft-step');
  // The same energy as that of B before.
  await untilTrue(async () => (await cell(page, 'energy', 0)) === other, 'energy of the scene run alone');
});

pageTest('both worlds are drawn, each in its half, with one camera', { hash: 'view=3d&preset=spheres&step=150' }, async ({ page, view3d }) => {
  await view3d.started();
  await view3d.untilStep(150);
  await view3d.field('compare-solver').selectOption('baseline');
  await page.locator('.stage-halves').waitFor();
  await untilCompared(page, 150);
  // Equal worlds give equal halves, but for labels, tools and the line between them.
  const differing = async () => {
    const picture = await view3d.settled();
    const half = Math.floor(picture.width / 2);
    const [top, bottom] = [Math.floor(picture.height * 0.2), Math.floor(picture.height * 0.85)];
    let count = 0;
    for (let y = top; y < bottom; y += 1) {
      for (let x = 4; x < half - 4; x += 1) {
        const [one = 0, other = 0] = [x, x + half].map((column) => picture.channels * (y * picture.width + column));
        if ([0, 1, 2].some((part) => Math.abs((picture.data[one + part] ?? 0) - (picture.data[other + part] ?? 0)) > 60)) count += 1;
      }
    }
    return count / ((bottom - top) * half);
  };
  await untilTrue(async () => (await differing()) < 0.05, 'equal halves');
  await view3d.go(330);
  await untilCompared(page, 330);
  await untilTrue(async () => (await differing()) > 0.01, 'different halves');
});

pageTest('a link restores the comparison with its methods and its start, and the chart has both curves', { hash: 'view=3d&preset=spheres&step=90&compare=baseline,octree,positions,verlet&compare-from=30' }, async ({ page, view3d }) => {
  await view3d.started();
  await view3d.untilStep(90);
  await untilCompared(page, 90);
  await page.locator(PANEL).getByText('equal at step 30').waitFor();
  assert.deepEqual(
    await Promise.all(['compare-solver', 'compare-broad-phase', 'compare-integrator', 'compare-response'].map((id) => view3d.field(id).inputValue())),
    ['baseline', 'octree', 'verlet', 'positions'],
  );
  await view3d.untilAddress((address) => address.get('compare') === 'baseline,octree,positions,verlet' && address.get('compare-from') === '30' && address.get('step') === '90');
  for (let step = 91; step < 95; step += 1) {
    await view3d.stage.press('.');
    await untilCompared(page, step);
  }
  assert.deepEqual(await page.locator(`${PANEL} .chart-legend li`).allInnerTexts(), ['A', 'B']);
  const chart = page.locator(`${PANEL} [role=img]`);
  for (const [label, title] of [['Energy', 'Energy (J)'], ['Contacts', 'Points of contact'], ['Step time', 'Time per step (ms)']]) {
    await page.locator(`${PANEL} .segments`).getByText(label ?? '', { exact: true }).click();
    await untilTrue(async () => {
      const text = (await chart.getAttribute('aria-label')) ?? '';
      return text.startsWith(`${title}.`) && text.includes('A') && text.includes('B');
    }, title);
  }
  // The address is written with a delay.
  await view3d.untilAddress((address) => address.get('step') === '94');
  await page.reload();
  await untilCompared(page, 94);
});

pageTest('an edit starts the comparison again from the edited state, a push reaches both worlds', { hash: 'view=3d&preset=pyramid&compare=soft-step' }, async ({ page, view3d }) => {
  await view3d.started();
  await untilCompared(page, 0);
  await view3d.go(20);
  await untilCompared(page, 20);
  await view3d.stage.press(']');
  await page.locator('.objects-table tr.marked').waitFor();
  await view3d.stage.press('Shift+ArrowRight');
  for (let step = 21; step < 24; step += 1) {
    await view3d.stage.press('.');
    await untilCompared(page, step);
  }
  // The same method gives the same bits, with a push in both.
  await page.locator(PANEL).getByText('equal at step 0').waitFor();
  await page.locator(PANEL).getByText('All bodies are at the same positions in A and B.').waitFor();
  await view3d.stage.press('Delete');
  await page.locator(PANEL).getByText('equal at step 23').waitFor();
});

pageTest('an unsuitable method is explained beside its field, and another is taken', { hash: 'view=3d&preset=pyramid' }, async ({ page, view3d }) => {
  await view3d.started();
  await page.locator('input[type=file]').setInputFiles({
    name: 'jointed.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify({
      bodies: [
        { name: 'post', type: 'fixed', shape: { sphere: { radius: 0.1 } } },
        { name: 'bob', shape: { sphere: { radius: 0.2 } }, mass: 1, position: [1, 0, 0] },
      ],
      joints: [{ bodies: ['post', 'bob'], joint: { distance: { from: [0, 0, 0], to: [1, 0, 0] } } }],
    })),
  });
  await view3d.untilBodies(2);
  await view3d.field('compare-solver').selectOption('baseline');
  await page.locator('#compare-problem').waitFor();
  assert.equal(await page.locator(PANEL).count(), 0);
  await view3d.field('compare-solver').selectOption('soft-step');
  await page.locator('#compare-problem').waitFor({ state: 'detached' });
  await page.locator(PANEL).waitFor();
});

for (const locale of ['en-US', 'pt-BR']) {
  pageTest(`a comparison is chosen by keyboard, described, and clean for axe on the desktop and phones, in both themes: ${locale}`, { hash: 'view=3d&preset=spheres', locale }, async ({ page, view3d }) => {
    await view3d.started();
    await view3d.tabTo(view3d.field('compare-solver'));
    await page.keyboard.press('End');
    await untilEqual(() => view3d.field('compare-solver').inputValue(), 'baseline');
    await view3d.tabTo(view3d.field('compare-response'));
    await view3d.go(60);
    await untilCompared(page, 60);
    const words = locale === 'en-US' ? /Compared with B, Study \(Lasch\).+Greatest distance/ : /Comparado com B, Estudo \(Lasch\).+Maior distância/;
    await untilMatch(async () => (await page.locator('#stage-description').textContent()) ?? '', words);
    await page.evaluate(axe);
    const found = [];
    for (const theme of ['dark', 'light']) {
      await page.locator('.settings select').nth(1).selectOption(theme);
      await page.locator(`html[data-theme=${theme}]`).waitFor();
      for (const [name, size] of Object.entries({ desktop: DESKTOP, phone: PHONE, 'small phone': SMALL_PHONE })) {
        await page.setViewportSize(size);
        found.push(...(await violations(page, `${name}, ${theme}`, theme === 'dark' ? 'all' : 'colours')));
        await until(
          () => page.evaluate(() => document.documentElement.scrollWidth),
          (wide) => assert.ok(wide <= size.width, `${name}: the page is ${wide} px wide`),
        );
      }
    }
    assert.deepEqual(found, []);
  });
}

pageTest('on a phone the worlds are one above the other, each with its name in its half', { hash: 'view=3d&preset=spheres&compare=event-driven', viewport: PHONE }, async ({ page, view3d }) => {
  await view3d.started();
  await untilCompared(page, 0);
  const names = page.locator('.stage-halves > span');
  await untilTrue(async () => {
    const [stage, one, other] = await Promise.all([view3d.stage, names.nth(0), names.nth(1)].map((each) => each.boundingBox()));
    if (stage == null || one == null || other == null) return false;
    const middle = stage.y + stage.height / 2;
    return one.y > stage.y && one.y + one.height < middle && other.y > middle && other.y + other.height < stage.y + stage.height;
  }, 'names in their halves');
});
