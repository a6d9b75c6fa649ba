/** Page object of the studies view. */

import { readFile } from 'node:fs/promises';

import { pageTest } from './page-test.mjs';
import { View } from './view.mjs';

export class ViewStudies extends View {
  /** @param {import('playwright-core').Page} page */
  constructor(page) {
    super(page);
    this.results = page.locator('.panel-results');
    // The 2D view has such a button, too, until this view replaces it.
    this.runButton = page.locator('.panel-results .button.run');
  }

  /** The engine is loaded and has listed the cases of the choice. */
  async started() {
    await this.page.locator('.panel-results .button.run:enabled').waitFor();
  }

  async untilFinished() {
    await this.page.locator('.study-progress').waitFor({ state: 'detached', timeout: 200_000 });
    await this.untilResults();
  }

  /** The results are displayed. */
  async untilResults() {
    await this.page.locator('.panel-export .take-away .button:enabled').nth(2).waitFor();
  }

  async run() {
    // A small study may end before its running state is observable.
    await this.runButton.click();
    await this.untilFinished();
  }

  /** @param {RegExp} label */
  async show(label) {
    await this.results.locator('.segments label').filter({ hasText: label }).click();
  }

  /** Measured and total cases, as displayed by the progress. */
  async cases() {
    const text = await this.page.locator('#study-left').innerText();
    return (text.match(/\d+/g) ?? []).slice(0, 2).map(Number);
  }

  /**
   * Saves with an export button and returns the file.
   *
   * @param {RegExp} label
   */
  async taken(label) {
    const button = this.page.locator('.panel-export .take-away .button').filter({ hasText: label });
    const [download] = await Promise.all([this.page.waitForEvent('download'), button.click()]);
    return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
  }
}

/**
 * Browser test of the studies view: as `pageTest`, with the view opened and its engine loaded.
 *
 * @param {string} name
 * @param {import('./browser.mjs').PageOptions} options
 * @param {(opened: import('./browser.mjs').Opened & { studies: ViewStudies }, t:
 *   import('node:test').TestContext) => Promise<void>} body
 */
export function studiesTest(name, options, body) {
  pageTest(name, { ...options, hash: `view=studies&${options.hash ?? ''}`, skipStart: true }, async (opened, t) => {
    const studies = new ViewStudies(opened.page);
    if (options.skipStart !== true) await studies.started();
    await body({ ...opened, studies }, t);
  });
}
