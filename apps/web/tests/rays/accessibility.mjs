/**
 * The rays view without pointer or sight, in both languages and themes, on all screens, and from a
 * link.
 */

import assert from 'node:assert/strict';

import { axe, violations } from '../harness/axe.mjs';
import { DESKTOP, PHONE, SMALL_PHONE } from '../harness/browser.mjs';
import { TETRAHEDRA } from '../harness/meshes.mjs';
import { pageTest } from '../harness/page-test.mjs';
import { untilEqual, untilTrue } from '../harness/until.mjs';

const SCREENS = { desktop: DESKTOP, phone: PHONE, 'small phone': SMALL_PHONE };

for (const locale of ['en-US', 'pt-BR']) {
  const light = locale === 'en-US' ? 'by every rule on the desktop and by those of colours on phones' : 'by the rules of colours';
  pageTest(`axe finds no violations in rays and meshes: ${locale}, desktop and phones, dark by every rule, light ${light}`, { locale, hash: 'view=rays&scene=random-high&count=400&boxes=2&sight=0,0,0,100,100,100&rubbish=1' }, async ({ page, viewRays }) => {
    await viewRays.allBuilt();
    await untilTrue(async () => (await page.locator('[data-map]').count()) === 4);
    await viewRays.enter('ray-origin-x', 'x');
    await page.locator('.panel-ray .field-problem').waitFor();
    await viewRays.open('bad.obj', 'v 0 0 zero');
    await page.locator('.file-problem').waitFor();
    assert.match(await page.locator('.file-problem p').innerText(), locale === 'pt-BR' ? /^O motor responde, em inglês: bad\.obj/ : /^bad\.obj/);
    assert.match(await page.locator('.file-problem p [lang=en]').innerText(), /^bad\.obj/);
    await page.evaluate(axe);
    const found = [];
    for (const theme of ['dark', 'light']) {
      await page.locator('.settings select').nth(1).selectOption(theme);
      await page.locator(`html[data-theme=${theme}]`).waitFor();
      for (const [name, size] of Object.entries(SCREENS)) {
        await page.setViewportSize(size);
        const isWhole = theme === 'dark' || (locale === 'en-US' && name === 'desktop');
        found.push(...(await violations(page, `${name}, ${theme}`, isWhole ? 'all' : 'colours')));
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= size.width, `${name}: the page is ${wide} px wide`);
      }
    }
    assert.deepEqual(found, []);
  });
}

pageTest('on a phone the choices of a click have their verb, and nothing is wider than the screen', { hash: 'view=rays&scene=house', viewport: SMALL_PHONE, touch: true }, async ({ page, viewRays }) => {
  await viewRays.allBuilt();
  await page.locator('.stage-colours').getByText('Click to', { exact: true }).first().waitFor();
  assert.ok(await page.locator('.stage-colours > span').isVisible());
  for (const label of await page.locator('.stage-colours label').all()) {
    const box = await label.boundingBox();
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= SMALL_PHONE.width, JSON.stringify(box));
  }
  // The label of the hit stays within the stage wherever the hit is.
  for (const x of [0.2, 0.5, 0.8]) {
    const stage = await viewRays.stage.boundingBox();
    assert.ok(stage !== null);
    const before = await viewRays.ray();
    await page.touchscreen.tap(stage.x + x * stage.width, stage.y + 0.6 * stage.height);
    await untilTrue(async () => (await viewRays.ray()) !== before, `a ray at ${x}`);
    await viewRays.settled();
    for (const tag of await page.locator('.stage-tag:not([hidden]) > span').all()) {
      const box = await tag.boundingBox();
      assert.ok(box !== null && box.x >= 0 && box.x + box.width <= SMALL_PHONE.width, JSON.stringify(box));
    }
  }
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= SMALL_PHONE.width, `the page is ${wide} px wide`);
  const [advisor, structure] = await Promise.all([page.locator('.panel-advisor').boundingBox(), page.locator('.panel-structure').boundingBox()]);
  assert.ok(advisor !== null && structure !== null && advisor.y < structure.y, 'the recommendation is above the structures');
});

pageTest('by keyboard alone a mesh is chosen, a ray cast, traced and compared, a line of sight checked and heat maps computed', { hash: 'view=rays&scene=house' }, async ({ page, viewRays }) => {
  await viewRays.tabTo(page.locator('#scene'));
  await page.keyboard.press('End');
  await viewRays.untilAddress((address) => address.get('scene') === 'random-high');
  await viewRays.allBuilt();
  await viewRays.tabTo(page.locator('#count'));
  await viewRays.type('500');
  await viewRays.untilTriangles(500);
  await viewRays.allBuilt();
  await viewRays.tabTo(viewRays.stage);
  const ray = await viewRays.ray();
  await page.keyboard.press('Enter');
  await untilTrue(async () => (await viewRays.ray()) !== ray, 'aimed at the center');
  const steps = await viewRays.steps();
  await page.keyboard.press('2');
  await page.locator('tr.marked[data-structure=study-octree]').waitFor();
  // Its traversal arrives later, and is shown to its end.
  await untilTrue(async () => (await viewRays.steps()) !== steps, 'another structure has another traversal');
  await page.keyboard.press('r');
  await viewRays.untilStep(0);
  await page.keyboard.press('.');
  await viewRays.untilStep(1);
  await page.keyboard.press('k');
  await viewRays.untilAnnounced(/^Casts a ray from the camera/);
  await page.keyboard.press('l');
  await viewRays.untilAddress((address) => address.has('sight'));
  await viewRays.untilHeatMaps();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('h');
  await page.locator('.panel-heat').getByText('The view has changed since.').waitFor({ state: 'detached' });
  // The end of the heat maps is announced, too, and would replace the announcement.
  await viewRays.untilAnnounced('Heat maps finished.');
  await page.keyboard.press('d');
  await viewRays.untilAnnounced(/^Random, high affinity: 500 triangles, .* Octree \(study\): \d+ cells visited, \d+ triangles tested\. .*Line of sight from A to B: /);
  await viewRays.tabTo(page.locator('#ray-origin-y'));
  await viewRays.type('123.5');
  await untilTrue(async () => (await viewRays.ray())?.split(',')[1] === '123.5');
});

pageTest('a link restores scene, structure, ray, step, boxes, line of sight and camera', { hash: 'view=rays&scene=random-medium&count=700&seed=9' }, async ({ page, viewRays }) => {
  await viewRays.allBuilt();
  await viewRays.choose('Octree');
  await viewRays.enter('ray-origin-x', '3.25');
  await viewRays.stage.press('o');
  await viewRays.stage.press('ArrowLeft');
  await viewRays.enter('sight-from-x', '7');
  await viewRays.stage.press('r');
  await viewRays.stage.press('.');
  await viewRays.untilAddress((address) => address.get('step') === '1' && address.has('camera') && address.has('sight') && address.has('boxes'));
  const [answer, ray, picture] = [await viewRays.answer('octree'), await viewRays.ray(), await viewRays.settled()];
  await page.getByRole('button', { name: 'Copy link' }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await page.goto('about:blank');
  await page.goto(link);
  await viewRays.allBuilt();
  await viewRays.untilTriangles(700);
  await untilEqual(() => viewRays.answer('octree'), answer);
  assert.equal(await viewRays.ray(), ray);
  await viewRays.untilStep(1);
  const again = await viewRays.settled();
  assert.equal(again.width, picture.width);
});

pageTest('a link to a file names it, and restores the state once it is opened', { hash: 'view=rays&file=four.obj&structure=octree&ray=5,0.5,0.5,-1,0,0' }, async ({ page, viewRays }) => {
  await page.locator('.notice').getByText(/This link refers to four\.obj/).waitFor();
  await viewRays.open('four.obj', TETRAHEDRA['four.obj']);
  await viewRays.untilTriangles(4);
  await viewRays.untilRay('5,0.5,0.5,-1,0,0');
  await untilEqual(async () => (await viewRays.answer('bvh')).t, 4);
});

pageTest('invalid parameters of a link are reported, and the rest is shown', { hash: 'view=rays&scene=house&ray=1,2&boxes=x&structure=bvh' }, async ({ page, viewRays }) => {
  await page.locator('.notice').getByText(/boxes, ray|ray, boxes/).waitFor();
  await page.locator('#stage-title').getByText('House').waitFor();
  assert.ok((await viewRays.triangles()) > 1000);
});

pageTest('the view follows the language, and is restored when the user returns', { hash: 'view=rays&scene=house' }, async ({ page, view, viewRays }) => {
  await viewRays.allBuilt();
  await page.getByLabel('Language').selectOption('pt-BR');
  await page.locator('#stage-title').getByText('Casa').waitFor();
  await page.getByText('A mais rápida aqui entre força bruta, octree e BVH:').waitFor();
  await viewRays.choose('Octree');
  await viewRays.untilAddress((address) => address.get('structure') === 'octree');
  await page.locator('nav a').first().click();
  await view.started();
  await page.getByRole('link', { name: 'Raios e malhas' }).click();
  await viewRays.allBuilt();
  await page.locator('tr.marked[data-structure=octree]').waitFor();
});

pageTest('on a laptop the recommendation is in sight, and no column ends far above the others', { hash: 'view=rays&scene=house', viewport: { width: 1366, height: 768 } }, async ({ page, viewRays }) => {
  await viewRays.allBuilt();
  await viewRays.untilHeatMaps();
  const [advisor, ray] = await Promise.all([page.locator('.panel-advisor').boundingBox(), page.locator('.panel-ray').boundingBox()]);
  assert.ok(advisor !== null && ray !== null && advisor.y + advisor.height <= 768 && advisor.y + advisor.height <= ray.y, JSON.stringify({ advisor, ray }));
  const ends = await page.locator('.column').evaluateAll((columns) => columns.map((column) => column.lastElementChild?.getBoundingClientRect().bottom ?? 0));
  assert.ok(Math.max(...ends) - Math.min(...ends) < 300, ends.join());
});

pageTest('on a phone a number of the ray does not touch the name of its axis, and the tabs fade where more follow', { hash: 'view=rays&scene=house', viewport: SMALL_PHONE }, async ({ page, viewRays }) => {
  await viewRays.started();
  for (const text of ['1', '-9.81', '-217.6', '-1234.5']) {
    await viewRays.enter('ray-origin-x', text);
    const prefix = page.locator('.number', { has: viewRays.field('ray-origin-x') }).locator('.number-prefix');
    if ((await prefix.count()) === 0) continue;
    const gap = await viewRays.field('ray-origin-x').evaluate(gapToPrefix);
    assert.ok(gap >= 3, `${text}: ${gap} px`);
  }
  const nav = await page.locator('.nav').evaluate((element) => ({ isCut: element.scrollWidth > element.clientWidth, mask: getComputedStyle(element).maskImage }));
  assert.ok(nav.isCut && nav.mask !== 'none', JSON.stringify(nav));
  const [stage, guide, next] = await Promise.all(['.panel-stage', '.panel-guide', '.panel-ray'].map((panel) => page.locator(panel).boundingBox()));
  assert.ok(stage != null && guide != null && next != null && guide.y >= stage.y + stage.height && next.y >= guide.y + guide.height, 'the explanation follows the stage');
});

/**
 * Pixels between the name of an input and its number, which is aligned to the right.
 *
 * @param {HTMLElement | SVGElement} input
 */
function gapToPrefix(input) {
  const style = getComputedStyle(input);
  const context = document.createElement('canvas').getContext('2d');
  context.font = style.font;
  const begins = input.getBoundingClientRect().right - Number.parseFloat(style.paddingRight) - 1 - context.measureText(input.value).width;
  const range = document.createRange();
  range.selectNodeContents(input.parentElement.querySelector('.number-prefix'));
  return begins - range.getBoundingClientRect().right;
}
