/** Rays in the page equal those of the command line: hit, counts, and every visited box. */

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { hillsPly } from '../harness/meshes.mjs';
import { pixelsOf } from '../harness/png.mjs';
import { readTable, runJson } from '../harness/program.mjs';
import { pageTest } from '../harness/page-test.mjs';
import { untilEqual, untilTrue } from '../harness/until.mjs';

const NAMES = /** @type {const} */ ({ brute: 'Brute force', 'study-octree': 'Octree (study)', octree: 'Octree', bvh: 'BVH', 'kd-tree': 'k-d tree', bsp: 'BSP tree', grid: 'Grid', 'compact-octree': 'Compact octree' });
const TECHNIQUES = /** @type {(keyof typeof NAMES)[]} */ (Object.keys(NAMES));

pageTest('hit, counts and boxes of a click equal those of embate cast, in every structure', { hash: 'view=rays&scene=house' }, async ({ page, viewRays }) => {
  const folder = await mkdtemp(join(tmpdir(), 'embate-cast-'));
  try {
    const [file, bytes] = [join(folder, 'hills.ply'), hillsPly(50)];
    await writeFile(file, bytes);
    await viewRays.open('hills.ply', bytes);
    await viewRays.untilTriangles(5000);
    await viewRays.allBuilt();
    for (const technique of /** @type {const} */ (['kd-tree', 'bsp', 'grid', 'compact-octree'])) await viewRays.build(NAMES[technique], technique);
    await viewRays.settled();
    let before = await viewRays.ray();
    const box = await viewRays.stage.boundingBox();
    assert.ok(box !== null);
    const places = [[0.5, 0.55], [0.4, 0.6], [0.02, 0.9]];
    for (const [mode, [x = 0, y = 0]] of /** @type {const} */ ([['Aim ray', places[0]], ['Shoot from camera', places[1]], ['Aim ray', places[2]]])) {
      await page.locator('.stage-colours').getByText(mode, { exact: true }).click();
      await page.mouse.click(box.x + x * box.width, box.y + y * box.height);
      await untilTrue(async () => (await viewRays.ray()) !== before, `${mode}: another ray`);
      before = await viewRays.ray();
      await asOnTheCommandLine(viewRays, file, before ?? '');
    }
  } finally {
    await rm(folder, { recursive: true });
  }

  /**
   * @param {import('../harness/view-rays.mjs').ViewRays} view
   * @param {string} file
   * @param {string} ray
   */
  async function asOnTheCommandLine(view, file, ray) {
    for (const technique of TECHNIQUES) {
      const { counts, results, trace } = await runJson('cast', file, `--ray=${ray}`, '--structure', technique, '--trace', '0');
      const { t, triangle } = results[0];
      await untilEqual(() => view.answer(technique), { tests: counts.tests, boxes: counts.boxes, t, triangle }, `${technique}: ${ray}`);
      await view.choose(NAMES[technique]);
      await untilEqual(() => view.steps(), trace.cells.length, `${technique}: boxes`);
      if (trace.cells.length === 0) continue;
      const [saved] = await Promise.all([page.waitForEvent('download'), page.locator('.panel-visited').getByRole('button', { name: 'CSV' }).click()]);
      const visits = readTable(await readFile(await saved.path(), 'utf8'));
      const boxes = visits.map((row) => ({ min: [row.min_x, row.min_y, row.min_z].map(Number), max: [row.max_x, row.max_y, row.max_z].map(Number) }));
      assert.deepEqual(boxes, trace.cells, technique);
      assert.equal(visits.reduce((sum, row) => sum + Number(row.tested), 0), trace.triangles.length, technique);
    }
  }
});

pageTest('a ray is typed, and one without direction is rejected at its field', { hash: 'view=rays&scene=house&ray=0,50,0,0,-1,0' }, async ({ page, viewRays }) => {
  assert.equal(await viewRays.ray(), '0,50,0,0,-1,0');
  await assertDistance(page, viewRays, 1);
  const { t } = await viewRays.answer('bvh');
  await viewRays.enter('ray-origin-y', '60.5');
  await viewRays.untilRay('0,60.5,0,0,-1,0');
  await untilTrue(async () => Math.abs(((await viewRays.answer('bvh')).t ?? 0) - (t ?? 0) - 10.5) < 1e-3, 't of a farther origin');
  await viewRays.enter('ray-direction-y', '0');
  await page.locator('.panel-ray .field-problem').getByText('No direction').waitFor();
  assert.equal(await viewRays.ray(), '0,60.5,0,0,-1,0');
  await viewRays.enter('ray-direction-y', '−2');
  await viewRays.untilRay('0,60.5,0,0,-2,0');
  await untilTrue(async () => Math.abs(((await viewRays.answer('bvh')).t ?? 0) * 2 - (t ?? 0) - 10.5) < 1e-3, 't is in lengths of the direction');
  await assertDistance(page, viewRays, 2);
});

pageTest('a ray between two clicked points ends at the second, and a line of sight names what blocks it', { hash: 'view=rays&scene=house' }, async ({ page, viewRays }) => {
  await viewRays.allBuilt();
  await viewRays.settled();
  const box = await viewRays.stage.boundingBox();
  assert.ok(box !== null);
  const click = (/** @type {number} */ x, /** @type {number} */ y) => page.mouse.click(box.x + x * box.width, box.y + y * box.height);
  await page.locator('.stage-colours').getByText('Set start and end', { exact: true }).click();
  const before = await viewRays.ray();
  await click(0.45, 0.6);
  await viewRays.untilAnnounced('First point placed; now click the second.');
  assert.equal(await viewRays.ray(), before);
  await click(0.6, 0.5);
  await untilTrue(async () => (await viewRays.ray()) !== before);
  await untilTrue(async () => {
    const { t } = await viewRays.answer('bvh');
    return t !== null && t > 0 && t < 1.05;
  }, 'what was clicked is hit, or what is before it');

  await page.locator('.stage-colours').getByText('Check sight line', { exact: true }).click();
  const sightNote = page.locator('[data-sight]');
  const sight = await sightNote.getAttribute('data-sight');
  await click(0.4, 0.62);
  await page.waitForTimeout(200);
  await click(0.62, 0.4);
  await untilTrue(async () => (await sightNote.getAttribute('data-sight')) !== sight);
  await viewRays.untilAddress((address) => address.get('sight') === null || address.get('sight') !== sight);
  // The line of sight between any two points equals that of the program.
  const folder = await mkdtemp(join(tmpdir(), 'embate-sight-'));
  try {
    const [file, bytes] = [join(folder, 'hills.ply'), hillsPly(30)];
    await writeFile(file, bytes);
    await viewRays.open('hills.ply', bytes);
    await viewRays.untilTriangles(1800);
    for (const [from, to] of [['1,3,1', '9,-3,9'], ['1,3,1', '9,3,9'], ['2,0.5,2', '8,0.5,7.5']]) {
      const place = async (/** @type {string} */ name, /** @type {string} */ numbers) => {
        for (const [axis, number] of numbers.split(',').entries()) await viewRays.enter(`sight-${name}-${'xyz'[axis]}`, number.replace('-', '−'));
      };
      await place('from', from ?? '');
      await place('to', to ?? '');
      const { results: [{ blocked, t, triangle }] } = await runJson('sight', file, `--from=${from}`, `--to=${to}`);
      await page.locator(`[data-sight="${from},${to}"][data-blocked="${blocked}"]`).waitFor();
      const found = async () => {
        const texts = [await sightNote.getAttribute('data-t'), await sightNote.getAttribute('data-triangle')];
        return texts.map((text) => (text ? Number(text) : null));
      };
      await untilEqual(found, [t, triangle]);
    }
    await page.locator('.sight-result').getByText(/Blocked|Clear/).waitFor();
  } finally {
    await rm(folder, { recursive: true });
  }
});

pageTest('a line of sight has no verdict before the user chooses its points, and none between two clicks', { hash: 'view=rays&scene=house' }, async ({ page, viewRays }) => {
  await viewRays.allBuilt();
  await viewRays.settled();
  const [verdict, hint, note] = [page.locator('.sight-result'), page.locator('.click-hint'), page.locator('[data-sight]')];
  assert.equal(await verdict.count(), 0);
  await note.getByText('Choose “Check sight line”').waitFor();
  assert.equal(await hint.count(), 0);
  await page.locator('.stage-colours').getByText('Check sight line', { exact: true }).click();
  await hint.getByText('Click the first of two points.').waitFor();
  const box = await viewRays.stage.boundingBox();
  assert.ok(box !== null);
  const click = (/** @type {number} */ x, /** @type {number} */ y) => page.mouse.click(box.x + x * box.width, box.y + y * box.height);
  await click(0.4, 0.62);
  await hint.getByText('Now click the second point.').waitFor();
  await click(0.62, 0.4);
  await verdict.getByText(/Blocked|Clear/).waitFor();
  const [first] = [await page.locator('#sight-from-x').inputValue()];
  // The panel shows the new A, and no verdict about the old points.
  await click(0.2, 0.75);
  await note.getByText('A is placed. Click B on the stage.').waitFor();
  assert.equal(await verdict.count(), 0);
  assert.notEqual(await page.locator('#sight-from-x').inputValue(), first);
  await page.locator('.stage-tag-b').waitFor({ state: 'hidden' });
  await viewRays.stage.press('Escape');
  await verdict.getByText(/Blocked|Clear/).waitFor();
  assert.equal(await page.locator('#sight-from-x').inputValue(), first, 'the previous points');
});

pageTest('the default ray hits a mesh with a hole in its middle', { hash: 'view=rays&scene=house' }, async ({ viewRays }) => {
  // A frame of four thin bars around the default target.
  const bar = (/** @type {number[]} */ min, /** @type {number[]} */ max) => {
    const at = (/** @type {number} */ place) => [0, 1, 2].map((axis) => (place & (1 << axis) ? max : min)[axis]);
    return [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6]].map((corners) => corners.flatMap(at).join(' '));
  };
  const text = [bar([0, 0, 0], [10, 1, 0.1]), bar([0, 0, 9.9], [10, 1, 10]), bar([0, 0, 0], [0.1, 1, 10]), bar([9.9, 0, 0], [10, 1, 10])].flat().join('\n');
  await viewRays.open('frame.txt', `${text}\n`);
  await viewRays.untilTriangles(32);
  await viewRays.started();
  await untilTrue(async () => (await viewRays.answer('bvh')).t !== null, 'a hit');
});

pageTest('a hierarchy has nodes, an octree has cells, in tables, stage and announcements', { hash: 'view=rays&scene=house' }, async ({ page, viewRays }) => {
  await viewRays.allBuilt();
  for (const [name, one, many] of /** @type {const} */ ([['Octree', 'Cell', 'Cells'], ['Octree (study)', 'Cell', 'Cells'], ['BVH', 'Node', 'Nodes']])) {
    await viewRays.choose(/** @type {any} */ (name));
    await page.locator('#visited-title').getByText(`${many} visited`).waitFor();
    await page.locator('.panel-structure .facts').getByText(many, { exact: true }).waitFor();
    await page.locator('.visited-table').getByText(`Tests in ${one.toLowerCase()}`).waitFor();
    await page.locator('.stage-line').getByText(`${many.toLowerCase()} visited`).waitFor();
    await page.locator('.steps').getByText(new RegExp(`^${one} \\d+ of`)).waitFor();
  }
});

pageTest('the present node differs from those visited before, in both themes', { hash: 'view=rays&scene=house' }, async ({ page, viewRays }) => {
  await viewRays.allBuilt();
  for (const theme of ['dark', 'light']) {
    await page.locator('.settings select').nth(1).selectOption(theme);
    await page.locator(`html[data-theme=${theme}]`).waitFor();
    const colors = await page.evaluate(() =>
      ['visited', 'now'].map((name) => getComputedStyle(document.querySelector(`.swatch-ray-${name}`) ?? document.body).borderTopColor.match(/\d+/g)?.map(Number) ?? []),
    );
    const [one = [], other = []] = colors;
    const apart = Math.hypot(...one.map((part, place) => part - (other[place] ?? 0)));
    assert.ok(apart > 80, `${theme}: ${colors}`);
  }
});

pageTest('a traversal is stepped, played and reversed, box by box, and drawn', { hash: 'view=rays&scene=house&structure=octree', motion: 'no-preference' }, async ({ page, viewRays }) => {
  await viewRays.allBuilt();
  const all = await viewRays.steps();
  assert.ok(all > 2, `${all} boxes`);
  await viewRays.untilStep(all);
  await viewRays.stage.press('r');
  await viewRays.untilStep(0);
  const none = pixelsOf(await viewRays.settled(), '#f0e442');
  await viewRays.stage.press('.');
  await viewRays.untilStep(1);
  await viewRays.untilAnnounced(/^Cell 1 of \d+: \d+ triangles? tested\.$/);
  await viewRays.untilPixels((picture) => pixelsOf(picture, '#f0e442') > none + 60, 'the visited box');
  await viewRays.stage.press(',');
  await viewRays.untilStep(0);
  await viewRays.stage.press(' ');
  await viewRays.untilStep(all);
  await page.locator('.play').getByText('Play').waitFor();
  await page.locator('.step-button').nth(1).click();
  await viewRays.untilStep(2);
  await viewRays.untilAddress((address) => address.get('step') === '2');
  await page.reload();
  await viewRays.started();
  await viewRays.untilStep(2);
});

pageTest('the structure’s boxes are drawn up to a depth', { hash: 'view=rays&scene=house&structure=bvh' }, async ({ page, viewRays }) => {
  await viewRays.allBuilt();
  const count = async () => pixelsOf(await viewRays.settled(), '#e69f00', 60);
  await viewRays.stage.press('r');
  const none = await count();
  await viewRays.stage.press('o');
  await viewRays.stage.press(']');
  await viewRays.stage.press(']');
  await untilTrue(async () => (await count()) > none + 300, 'boxes');
  await viewRays.untilAddress((address) => address.get('boxes') === '5' || Number(address.get('boxes')) > 2);
  await page.getByLabel('Draw the structure').uncheck();
  await untilTrue(async () => (await count()) <= none + 20, 'none');
});

/** Texts with distance and t by language: rows of the panel, title and label of the stage, description. */
const HIT_TEXTS = {
  en: { distance: 'Distance', t: 't (× direction)', line: /hit at distance ([\d.,]+) \(t = ([\d.,]+)\)/, tag: /distance ([\d.,]+), t ([\d.,]+)/, spoken: /at distance ([\d.,]+), t = ([\d.,]+), at/ },
  'pt-BR': { distance: 'Distância', t: 't (× direção)', line: /interseção à distância ([\d.,]+) \(t = ([\d.,]+)\)/, tag: /distância ([\d.,]+), t ([\d.,]+)/, spoken: /à distância ([\d.,]+), t = ([\d.,]+), em/ },
};

/**
 * The distance of the hit is t × |direction|. Panel, stage and description show both, in both
 * languages.
 *
 * @param {import('playwright-core').Page} page
 * @param {import('../harness/view-rays.mjs').ViewRays} view
 * @param {number} length of the direction
 */
async function assertDistance(page, view, length) {
  for (const [locale, texts] of Object.entries(HIT_TEXTS)) {
    await page.locator('select:has(option[lang="pt-BR"])').selectOption(locale);
    const number = (/** @type {string | undefined} */ text = '') => Number(locale === 'en' ? text.replaceAll(',', '') : text.replaceAll('.', '').replace(',', '.'));
    const row = (/** @type {string} */ name) => page.locator('.ray-hit dl > div').filter({ has: page.getByText(name, { exact: true }) }).locator('dd');
    const pairs = async () => {
      const [line, tag, spoken] = await Promise.all([
        page.locator('.panel-stage').innerText().then((text) => texts.line.exec(text)),
        page.locator('.stage-tag-hit').textContent().then((text) => texts.tag.exec(text ?? '')),
        page.locator('.stage').evaluate((stage) => document.getElementById(stage.getAttribute('aria-describedby') ?? '')?.textContent ?? '').then((text) => texts.spoken.exec(text)),
      ]);
      return [[await row(texts.distance).innerText(), await row(texts.t).innerText()], ...[line, tag, spoken].map((found) => [found?.[1], found?.[2]])];
    };
    await untilTrue(async () => {
      const { t } = await view.answer('bvh');
      return t !== null && (await pairs()).every(([distance, parameter]) => {
        const [far, near] = [number(distance), number(parameter)];
        return Math.abs(near / t - 1) < 1e-3 && Math.abs(far / (t * length) - 1) < 1e-3;
      });
    }, `${locale}: distance and t, each under its name`);
  }
  await page.locator('select:has(option[lang="pt-BR"])').selectOption('en');
}
