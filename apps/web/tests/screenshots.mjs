/**
 * Creates the screenshots for docs and README: `EMBATE_BIN=… node tests/screenshots.mjs`.
 *
 * The scene is at a fixed frame, so that two runs differ only in measured times.
 */

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { closeAll, DESKTOP, openPage, PHONE } from './harness/browser.mjs';
import { ViewStudies } from './harness/view-studies.mjs';

const FOLDER = fileURLToPath(new URL('../../../docs/pictures/', import.meta.url));
const SCENE = 'w=960&h=540&n=600&b=aabb&s=6-16&v=20-80&t=tree&c=24&seed=1&cells=1&sel=105&frames=100';
const FRAME = 240;

/** @type {(import('./harness/browser.mjs').PageOptions & { name: string })[]} */
const PICTURES = [
  { name: 'lab-2d-dark', viewport: DESKTOP, colorScheme: 'dark' },
  { name: 'lab-2d-light', viewport: DESKTOP, colorScheme: 'light' },
  { name: 'lab-2d-mobile', viewport: PHONE, colorScheme: 'dark', touch: true, pixelRatio: 2 },
];

/** A characteristic step of each preset. */
const PRESETS = {
  ramp: 36, spheres: 45, boxes: 150, pyramid: 1, dominoes: 130, cradle: 20, gas: 60, hulls: 120, cards: 1,
  wrecking: 120, dzhanibekov: 100, 'study-bounce': 60, 'study-pile': 90, 'study-positions': 90, thousand: 80,
};
/** @type {(import('./harness/browser.mjs').PageOptions & { name: string })[]} */
const WORLDS = [
  { name: 'lab-3d-dark', viewport: DESKTOP, colorScheme: 'dark' },
  { name: 'lab-3d-light', viewport: DESKTOP, colorScheme: 'light' },
  { name: 'lab-3d-mobile', viewport: PHONE, colorScheme: 'dark', touch: true, pixelRatio: 2 },
];

/** A ray into the city, seen from above a corner of it. */
const CITY = 'view=rays&scene=city&structure=octree&ray=-190,95,120,180,-70,-105&sight=-60,40,90,70,30,-60&step=14';
/** @type {(import('./harness/browser.mjs').PageOptions & { name: string })[]} */
const MESHES = [
  { name: 'lab-rays-dark', viewport: DESKTOP, colorScheme: 'dark' },
  { name: 'lab-rays-light', viewport: DESKTOP, colorScheme: 'light' },
  { name: 'lab-rays-mobile', viewport: PHONE, colorScheme: 'dark', touch: true, pixelRatio: 2 },
];

/** Enough of the study of Gonçales et al. 2016 for its findings to be decided. */
const STUDY = 'view=studies&study=broad2d&experiment=2&frames=20&seeds=1';
/** @type {(import('./harness/browser.mjs').PageOptions & { name: string })[]} */
const STUDIES = [
  { name: 'lab-studies-dark', viewport: DESKTOP, colorScheme: 'dark' },
  { name: 'lab-studies-light', viewport: DESKTOP, colorScheme: 'light', locale: 'pt-BR' },
  { name: 'lab-studies-mobile', viewport: PHONE, colorScheme: 'dark', touch: true, pixelRatio: 2 },
];

await mkdir(FOLDER, { recursive: true });
for (const { name, ...options } of PICTURES) {
  const { page, context, view } = await openPage({ ...options, hash: SCENE });
  await view.run();
  await view.stage.focus();
  for (let frame = 0; frame < FRAME; frame += 1) {
    await page.keyboard.press('.');
  }
  await view.untilFrame(FRAME);
  await take(page, name);
  await context.close();
}
for (const { name, ...options } of WORLDS) {
  const { page, context, view3d } = await openPage({ ...options, hash: 'view=3d&preset=ramp&show=grid,contacts,normals,velocities' });
  // Frames at intervals, so that the charts have lines.
  for (let step = 3; step <= 36; step += 3) {
    await view3d.go(step);
    await page.waitForTimeout(220);
  }
  await page.locator('.row-button').filter({ hasText: /^box 4$/ }).click();
  await take(page, name);
  await context.close();
}
for (const { name, ...options } of MESHES) {
  const { page, context, viewRays } = await openPage({ ...options, hash: CITY });
  await viewRays.allBuilt();
  await viewRays.untilHeatMaps();
  await take(page, name);
  await context.close();
}
for (const { name, ...options } of STUDIES) {
  const { page, context } = await openPage({ ...options, hash: STUDY, skipStart: true });
  const studies = new ViewStudies(page);
  await studies.started();
  await studies.run();
  if (options.touch === true) {
    // On a phone the results are below the form.
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
const forgotten = offered.filter((name) => !(name in PRESETS) && name !== 'empty');
if (forgotten.length > 0) throw new Error(`no picture is made of ${forgotten}: say at which step`);
for (const [name, step] of Object.entries(PRESETS)) {
  await view3d.preset(name);
  await view3d.go(step);
  await page.waitForTimeout(1000);
  await keep(`scene-${name}`, await view3d.stage.screenshot());
}
await closeAll();
// The gallery must show every picture.
const gallery = await readFile(fileURLToPath(new URL('../../../docs/gallery.md', import.meta.url)), 'utf8');
const unlisted = (await readdir(FOLDER)).filter((file) => !gallery.includes(`pictures/${file}`));
if (unlisted.length > 0) throw new Error(`docs/gallery.md shows everything but ${unlisted}`);

/**
 * The page at rest, from its top.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} name
 */
async function take(page, name) {
  await page.evaluate(() => {
    document.activeElement?.blur();
    scrollTo(0, 0);
  });
  // Avoids a hover state.
  await page.mouse.move(0, 0);
  // Throttled numbers are up to date and toasts have disappeared.
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
