/**
 * Makes the pictures of the page for docs and README: `EMBATE_BIN=… node tests/screenshots.mjs`.
 *
 * The scene stands at a fixed frame, so that two runs differ only in the times they measured.
 */

import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { closeAll, DESKTOP, openPage, PHONE } from './harness/browser.mjs';

const FOLDER = fileURLToPath(new URL('../../../docs/pictures/', import.meta.url));
const SCENE = 'w=960&h=540&n=600&b=aabb&s=6-16&v=20-80&t=tree&c=24&seed=1&cells=1&sel=105&frames=100';
const FRAME = 240;

/** @type {(import('./harness/browser.mjs').Wishes & { name: string })[]} */
const PICTURES = [
  { name: 'lab-2d-dark', viewport: DESKTOP, colorScheme: 'dark' },
  { name: 'lab-2d-light', viewport: DESKTOP, colorScheme: 'light' },
  { name: 'lab-2d-mobile', viewport: PHONE, colorScheme: 'dark', touch: true, sharpness: 2 },
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
  await page.evaluate(() => {
    document.activeElement?.blur();
    scrollTo(0, 0);
  });
  // Numbers are shown a little after they are known, and words that were spoken go away.
  await page.waitForTimeout(4000);
  const picture = await page.screenshot({ animations: 'disabled' });
  await writeFile(`${FOLDER}${name}.png`, picture);
  process.stdout.write(`${name}.png: ${Math.round(picture.length / 1000)} KB, frame ${await view.frame()}\n`);
  await context.close();
}
await closeAll();
