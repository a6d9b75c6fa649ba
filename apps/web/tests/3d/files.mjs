/** Saving, opening and linking scenes; errors with their line. */

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { recorded, simulatedHash, simulatedSeries } from '../harness/program.mjs';
import { pageTest } from '../harness/page-test.mjs';

pageTest('an edited scene is saved, reopened after a reload, and runs alike', { hash: 'view=3d&preset=cradle' }, async ({ page, view3d }) => {
  await page.locator('.row-button').nth(1).click();
  await view3d.enter('body-restitution', '0.5');
  await view3d.untilAnnounced('ball 1 changed.');
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save', exact: true }).click()]);
  const text = await readFile(await file.path(), 'utf8');
  assert.equal(JSON.parse(text).bodies.length, 6);
  await view3d.go(40);
  const hash = await view3d.hash();

  await page.goto('about:blank');
  await page.goBack();
  await view3d.started();
  // The current scene differs from the opened one.
  await view3d.preset('pyramid');
  await view3d.untilBodies(106);
  await page.locator('input[type=file]').setInputFiles({ name: 'mine.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  await view3d.untilBodies(6);
  await view3d.untilAnnounced(/6 bodies/);
  await view3d.go(40);
  assert.equal(await view3d.hash(), hash);
});

pageTest('a recording contains all edits and replays them when it is opened', { hash: 'view=3d&preset=cradle' }, async ({ page, view3d }) => {
  await view3d.go(15);
  await view3d.stage.press('t');
  await view3d.untilBodies(7);
  await view3d.go(40);
  const hash = await view3d.hash();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: /^Save recording/ }).click()]);
  const text = await readFile(await file.path(), 'utf8');
  await view3d.preset('pyramid');
  await view3d.untilBodies(106);
  await page.locator('input[type=file]').setInputFiles({ name: 'mine.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  await view3d.untilBodies(7);
  await view3d.untilStep(40);
  await view3d.untilHash(hash);
  await view3d.go(0);
  await view3d.untilBodies(6);
});

pageTest('a series equals that of embate simulate byte for byte', { hash: 'view=3d&preset=cradle' }, async ({ page, view3d }) => {
  const folder = await mkdtemp(join(tmpdir(), 'embate-series-'));
  try {
    const [scene, series] = [join(folder, 'cradle.json'), join(folder, 'cradle.csv')];
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save', exact: true }).click()]);
    await file.saveAs(scene);
    await view3d.go(90);
    const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: /^Save series/ }).click()]);
    assert.match(saved.suggestedFilename(), /\.series\.csv$/);
    assert.equal(await readFile(await saved.path(), 'utf8'), await simulatedSeries(scene, 90, series));
    await view3d.untilStep(90);
  } finally {
    await rm(folder, { recursive: true });
  }
});

pageTest('a small edited world is in the link, and is restored from it', { hash: 'view=3d&preset=dzhanibekov' }, async ({ page, view3d }) => {
  const alone = await view3d.hash();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await view3d.untilBodies(2);
  await view3d.untilOtherHash(alone);
  await view3d.untilAddress((address) => (address.get('scene') ?? '').length > 100);
  const hash = await view3d.hash();
  await page.reload();
  await view3d.started();
  await view3d.untilBodies(2);
  await view3d.untilHash(hash);
  await page.getByRole('button', { name: 'Link' }).click();
  await view3d.untilAnnounced('Link copied.');
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await page.waitForURL((url) => url.href.replace(/&main-thread=1/, '') === link);
});

pageTest('an invalid scene is rejected with its line, and the world stays', { hash: 'view=3d&preset=pyramid' }, async ({ page, view3d }) => {
  const hash = await view3d.hash();
  const open = (/** @type {string} */ text) =>
    page.locator('input[type=file]').setInputFiles({ name: 'bad.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  await open('{"bodies": [\n  {"shape": {"sphere": {"radius": 1}}, "mass": 1},\n  {"shape": {"cube": {"half": -1}}, "mass": 1}\n]}');
  await page.locator('.file-problem').getByText(/^Line 3, column \d+: Body 1: Cube: /).waitFor();
  assert.match(await page.locator('.file-lines .wrong').innerText(), /"half": -1/);
  await open('no scene at all');
  await page.locator('.file-problem').getByText(/This is not an Embate scene/).waitFor();
  await open('{"bodies": [{"shape": {"mesh": {"file": "x.obj"}}, "type": "fixed"}]}');
  await page.locator('.file-problem').getByText(/cannot name files/).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.locator('.file-problem').waitFor({ state: 'detached' });
  assert.equal(await view3d.hash(), hash);
});

pageTest('invalid parameters of a link are reported, and the rest is shown', { hash: 'view=3d&preset=nowhere&show=grid,ghosts&seed=x&depth=99' }, async ({ page }) => {
  await page.locator('.notice').getByText(/preset, seed, show, depth/).waitFor();
  await page.locator('#stage-title').getByText('Ramp and obstacles').waitFor();
});

pageTest('a recording of embate simulate is replayed, and an invalid one says where', { hash: 'view=3d&preset=cradle' }, async ({ page, view3d }) => {
  const folder = await mkdtemp(join(tmpdir(), 'embate-recording-'));
  try {
    const [scene, recording] = [join(folder, 'cradle.json'), join(folder, 'cradle.recording')];
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save', exact: true }).click()]);
    await file.saveAs(scene);
    await recorded(scene, 75, recording);
    await view3d.preset('pyramid');
    await page.locator('input[type=file]').setInputFiles(recording);
    await view3d.untilBodies(6);
    await view3d.untilStep(75);
    await view3d.untilHash(await simulatedHash(scene, 75));
  } finally {
    await rm(folder, { recursive: true });
  }
  const hash = await view3d.hash();
  const open = (/** @type {string} */ text) =>
    page.locator('input[type=file]').setInputFiles({ name: 'bad.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  await open('{"recording": "embate 1", "step": 0, "state_hash": "0",\n "scene": {"bodies": [\n {"shape": {"cube": {"half": -1}}, "mass": 1}]}}');
  await page.locator('.file-problem').getByText(/^Line 3, column \d+: Body 0: Cube: /).waitFor();
  assert.match(await page.locator('.file-lines .wrong').innerText(), /"half": -1/);
  const ball = '{"shape": {"sphere": {"radius": 1}}, "mass": 1}';
  await open(`{"recording": "embate 1", "step": 9, "state_hash": "0", "scene": {"bodies": [${ball}]}, "actions": [{"step": 3, "add": ${ball}, "key": 0}]}`);
  await page.locator('.file-problem').getByText(/There is such a body already/).waitFor();
  assert.equal(await view3d.hash(), hash, 'the world is as before');
});

pageTest('a recording that would take hours shows its progress, and can be stopped', { hash: 'view=3d&preset=cradle' }, async ({ page, view3d }) => {
  const bodies = Array.from({ length: 400 }, (_, place) => ({ shape: { cube: { half: 0.4 } }, mass: 1, position: [place % 20, 1 + Math.floor(place / 20), 0] }));
  const recording = { recording: 'embate 1', step: 300_000, state_hash: '0', scene: { bodies: [{ shape: { halfspace: { normal: [0, 1, 0] } }, static: true }, ...bodies] } };
  await page.locator('input[type=file]').setInputFiles({ name: 'long.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(recording)) });
  await page.locator('.timeline-working').getByText(/^Going to step 300,000/).waitFor();
  // The previous scene stays and responds until then.
  assert.equal(await view3d.bodies(), 6);
  await page.locator('.row-button').nth(2).click();
  await page.locator('#selection-title').getByText('ball 2').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await view3d.untilBodies(401);
  await page.locator('.timeline-working').waitFor({ state: 'detached' });
});

pageTest('a file that is too large is rejected with its size', { hash: 'view=3d&preset=cradle' }, async ({ page, view3d }) => {
  const folder = await mkdtemp(join(tmpdir(), 'embate-large-'));
  try {
    const file = join(folder, 'large.json');
    await writeFile(file, '');
    await truncate(file, 65e6);
    await page.locator('input[type=file]').setInputFiles(file);
    await page.locator('.file-problem').getByText(/65 MB/).waitFor();
    assert.equal(await view3d.bodies(), 6);
  } finally {
    await rm(folder, { recursive: true });
  }
});
