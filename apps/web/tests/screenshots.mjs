/**
 * Makes the pictures of the page for docs and README: `EMBATE_BIN=… node tests/screenshots.mjs`.
 *
 * The scene stands at a fixed frame, so that two runs differ only in the times they measured.
 */

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { closeAll, DESKTOP, openPage, PHONE } from './harness/browser.mjs';
import { ViewStudies } from './harness/view-studies.mjs';

const FOLDER = fileURLToPath(new URL('../../../docs/pictures/', import.meta.url));
const SCENE = 'w=960&h=540&n=600&b=aabb&s=6-16&v=20-80&t=tree&c=24&seed=1&cells=1&sel=105&frames=100';
const FRAME = 240;

/** @type {(import('./harness/browser.mjs').Wishes & { name: string })[]} */
const PICTURES = [
  { name: 'lab-2d-dark', viewport: DESKTOP, colorScheme: 'dark' },
  { name: 'lab-2d-light', viewport: DESKTOP, colorScheme: 'light' },
  { name: 'lab-2d-mobile', viewport: PHONE, colorScheme: 'dark', touch: true, sharpness: 2 },
];

/** Where each scene of the simulator shows what it is about. */
const PRESETS = {
  ramp: 36, spheres: 45, boxes: 150, pyramid: 1, dominoes: 130, cradle: 20, gas: 60, hulls: 120, cards: 1,
  wrecking: 120, dzhanibekov: 100, 'study-bounce': 60, 'study-pile': 90, 'study-positions': 90, thousand: 80,
};
/** @type {(import('./harness/browser.mjs').Wishes & { name: string })[]} */
const WORLDS = [
  { name: 'lab-3d-dark', viewport: DESKTOP, colorScheme: 'dark' },
  { name: 'lab-3d-light', viewport: DESKTOP, colorScheme: 'light' },
  { name: 'lab-3d-mobile', viewport: PHONE, colorScheme: 'dark', touch: true, sharpness: 2 },
];

/** A ray into the city, seen from above a corner of it. */
const CITY = 'view=rays&scene=city&structure=octree&ray=-190,95,120,180,-70,-105&sight=-60,40,90,70,30,-60&step=14';
/** @type {(import('./harness/browser.mjs').Wishes & { name: string })[]} */
const MESHES = [
  { name: 'lab-rays-dark', viewport: DESKTOP, colorScheme: 'dark' },
  { name: 'lab-rays-light', viewport: DESKTOP, colorScheme: 'light' },
  { name: 'lab-rays-mobile', viewport: PHONE, colorScheme: 'dark', touch: true, sharpness: 2 },
];

/** Enough of study C that its findings are judged. */
const STUDY = 'view=studies&study=broad2d&experiment=2&frames=20&seeds=1';
/** @type {(import('./harness/browser.mjs').Wishes & { name: string })[]} */
const STUDIES = [
  { name: 'lab-studies-dark', viewport: DESKTOP, colorScheme: 'dark' },
  { name: 'lab-studies-light', viewport: DESKTOP, colorScheme: 'light', locale: 'pt-BR' },
  { name: 'lab-studies-mobile', viewport: PHONE, colorScheme: 'dark', touch: true, sharpness: 2 },
];

await mkdir(FOLDER, { recursive: true });
for (const { name, ...wishes } of PICTURES) {
  const { page, context, view } = await openPage({ ...wishes, hash: SCENE });
  await view.run();
  await view.stage.focus();
  for (let frame = 0; frame < FRAME; frame += 1) {
    await page.keyboard.press('.');
  }
  await view.untilFrame(FRAME);
  await take(page, name);
  await context.close();
}
for (const { name, ...wishes } of WORLDS) {
  const { page, context, view3d } = await openPage({ ...wishes, hash: 'view=3d&preset=ramp&show=grid,contacts,normals,velocities' });
  // Some of the way, so that the charts have lines.
  for (let step = 3; step <= 36; step += 3) {
    await view3d.go(step);
    await page.waitForTimeout(220);
  }
  await page.locator('.row-button').filter({ hasText: /^box 4$/ }).click();
  await take(page, name);
  await context.close();
}
for (const { name, ...wishes } of MESHES) {
  const { page, context, viewRays } = await openPage({ ...wishes, hash: CITY });
  await viewRays.allBuilt();
  await viewRays.heated();
  await take(page, name);
  await context.close();
}
for (const { name, ...wishes } of STUDIES) {
  const { page, context } = await openPage({ ...wishes, hash: STUDY, unstarted: true });
  const studies = new ViewStudies(page);
  await studies.started();
  await studies.run();
  if (wishes.touch === true) {
    // On a phone what came out lies below the form.
    await studies.results.evaluate((panel) => panel.scrollIntoView());
    await page.waitForTimeout(4000);
    await keep(name, await page.screenshot({ animations: 'disabled' }));
  } else {
    await take(page, name);
  }
  await context.close();
}
const { page, view3d } = await openPage({ hash: 'view=3d&show=grid,contacts', viewport: { width: 1200, height: 700 } });
const offered = await page.locator('#preset option').evaluateAll((all) => all.map((each) => each.getAttribute('value') ?? ''));
const forgotten = offered.filter((name) => !(name in PRESETS));
if (forgotten.length > 0) throw new Error(`no picture is made of ${forgotten}: say at which step`);
for (const [name, step] of Object.entries(PRESETS)) {
  await view3d.preset(name);
  await view3d.go(step);
  await page.waitForTimeout(1000);
  await keep(`scene-${name}`, await view3d.stage.screenshot());
}
await closeAll();
// Whoever looks for them looks there.
const gallery = await readFile(fileURLToPath(new URL('../../../docs/gallery.md', import.meta.url)), 'utf8');
const unlisted = (await readdir(FOLDER)).filter((file) => !gallery.includes(`pictures/${file}`));
if (unlisted.length > 0) throw new Error(`docs/gallery.md shows everything but ${unlisted}`);

/**
 * The page as it comes to rest, from its top.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} name
 */
async function take(page, name) {
  await page.evaluate(() => {
    document.activeElement?.blur();
    scrollTo(0, 0);
  });
  // Whatever lies under the pointer looks as if it were meant.
  await page.mouse.move(0, 0);
  // Numbers are shown a little after they are known, and words that were spoken go away.
  await page.waitForTimeout(4000);
  await keep(name, await page.screenshot({ animations: 'disabled' }));
}

/**
 * @param {string} name
 * @param {Buffer} picture
 */
async function keep(name, picture) {
  await writeFile(`${FOLDER}${name}.png`, picture);
  process.stdout.write(`${name}.png: ${Math.round(picture.length / 1000)} KB\n`);
}
