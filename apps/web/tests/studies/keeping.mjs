/** A running study outlives its view, and its rows outlive the page. */

import assert from 'node:assert/strict';

import { readTable } from '../harness/program.mjs';
import { until, untilEqual, untilMatch } from '../harness/until.mjs';
import { studiesTest } from '../harness/view-studies.mjs';

const LONG = 'study=broad2d&experiment=2&objects=10,300,2000,3000&frames=80&seeds=1&tech=study-brute,study-grid,tree&workers=1';
const QUESTION = /a dialog of the browser/;

studiesTest('a running study goes on while another view is open, whose tab shows it', { hash: LONG }, async ({ page, studies }) => {
  await studies.runButton.click();
  await until(() => studies.cases(), ([done = 0]) => assert.ok(done >= 1));
  await page.getByRole('link', { name: '2D broad phase' }).click();
  await page.locator('.stage').waitFor();
  await studies.untilAnnounced('2D broad phase opened.');
  const tab = page.getByRole('link', { name: /^Studies/ });
  await untilMatch(() => tab.innerText(), /measuring, \d of 8 cases\. Times in other views may be longer/);
  assert.match((await tab.getAttribute('title')) ?? '', /measuring/);
  // Measured by now: the address of the other view is not overwritten.
  assert.equal(studies.address().get('study'), null);
  const [before = 0] = (await tab.innerText()).match(/\d+/g)?.map(Number) ?? [];
  await until(async () => Number(/\d+/.exec(await tab.innerText())?.[0] ?? Infinity), (now) => assert.ok(now > before));
  await tab.click();
  await page.locator('.panel-results').waitFor();
  assert.equal(await page.locator('.nav-task').count(), 0, 'the open view shows its own progress');
  assert.equal(await page.locator('#objects').inputValue(), '10, 300, 2000, 3000');
  await studies.untilFinished();
  assert.equal(readTable((await studies.taken(/^CSV/)).text).length, 24);
});

studiesTest('a study that ends in another view is announced there', { hash: LONG.replace('2000,3000', '1000') }, async ({ page, studies }) => {
  await studies.runButton.click();
  await page.locator('.study-progress').waitFor();
  await page.getByRole('link', { name: 'Rays and meshes' }).click();
  await studies.untilAnnounced(/Study finished: Gonçales et al\. 2016 · Broad phase in 2D, 6 cases/);
  await untilEqual(() => page.locator('.nav-task').count(), 0);
  await page.getByRole('link', { name: /^Studies/ }).click();
  await studies.untilResults();
});

studiesTest('leaving the page while a study runs is confirmed; the rows are there after a reload, and can be resumed', { hash: LONG, expectedErrors: QUESTION }, async ({ page, studies }) => {
  /** @type {string[]} */
  const questions = [];
  page.on('dialog', (dialog) => {
    questions.push(dialog.type());
    void dialog.accept();
  });
  await studies.runButton.click();
  await until(() => studies.cases(), ([done = 0]) => assert.ok(done >= 2));
  await page.reload();
  assert.deepEqual(questions, ['beforeunload']);
  await untilMatch(() => page.locator('.state-note').innerText(), /Stopped after \d of 8 cases/);
  const [kept = 0] = (await page.locator('.state-note').innerText()).match(/\d+/g)?.map(Number) ?? [];
  assert.ok(kept >= 2);
  await studies.untilResults();
  const before = (await studies.taken(/^CSV/)).text;
  await page.getByRole('button', { name: 'Resume' }).click();
  await studies.untilFinished();
  const after = (await studies.taken(/^CSV/)).text;
  assert.equal(readTable(after).length, 24);
  assert.ok(after.startsWith(before.trimEnd().split('\n').slice(0, 4).join('\n')), 'stored rows are unchanged');
  // Everything is stored: no question.
  await page.reload();
  await studies.untilResults();
  assert.equal((await studies.taken(/^CSV/)).text, after);
  assert.deepEqual(questions, ['beforeunload']);
});

studiesTest('results of other settings name them, and the form can be set to them', { hash: 'study=broad3d&objects=40&frames=2&tech=tree&workers=1' }, async ({ page, studies }) => {
  await studies.run();
  await page.goto(`${page.url().replace(/#.*/, '')}#view=studies&study=broad3d`);
  await page.reload();
  await studies.started();
  await untilMatch(() => page.locator('.state-note').innerText(), /used different settings/);
  await page.getByRole('button', { name: 'Show these settings' }).click();
  await untilEqual(() => page.locator('#objects').inputValue(), '40');
  await untilEqual(() => page.locator('.state-note').count(), 0);
});

for (const [what, prepare] of /** @type {const} */ ([
  ['forbidden', () => Object.defineProperty(globalThis, 'indexedDB', { get: () => { throw new DOMException('denied', 'SecurityError'); } })],
  ['full', () => {
    IDBObjectStore.prototype.put = () => { throw new DOMException('quota', 'QuotaExceededError'); };
  }],
])) {
  studiesTest(`where storage is ${what}, a study runs, and leaving unsaved results is confirmed`, { hash: 'study=broad3d&objects=40&frames=2&tech=tree&workers=1', before: prepare, expectedErrors: QUESTION }, async ({ page, studies }) => {
    let questions = 0;
    page.on('dialog', (dialog) => {
      questions += 1;
      void dialog.accept();
    });
    await studies.run();
    await untilMatch(() => page.locator('.state-note').innerText(), /does not store the results/);
    await page.reload();
    assert.equal(questions, 1);
    await studies.started();
    assert.equal(await page.locator('.nothing').count(), 1);
  });
}

studiesTest('invalid stored data is ignored', { hash: LONG }, async ({ page, studies }) => {
  const stored = {
    schema: 1,
    build: await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => /embate_web_studies_bg[^/]*\.wasm/.exec(name)?.[0]).find((name) => name !== undefined) ?? ''),
    request: { study: 'broad2d', options: '{"quick":true,"threads":1}' },
    plan: { cases: [{ key: 'a', work: 1 }], command: ['embate'] },
    rows: ['not a row'],
    environment: { agent: '', cores: 1, started: '', finished: null, resumed: 0 },
  };
  await page.evaluate(async (record) => {
    const database = await new Promise((resolve, reject) => {
      const request = indexedDB.open('embate-studies', 1);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const transaction = database.transaction('runs', 'readwrite');
    transaction.objectStore('runs').put(record, 'broad2d');
    transaction.objectStore('runs').put({ schema: 1, junk: [record] }, 'rays');
    await new Promise((resolve) => (transaction.oncomplete = resolve));
    database.close();
  }, stored);
  await page.reload();
  await studies.started();
  await page.getByText('No results yet.').waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);
});
