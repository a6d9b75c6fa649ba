/** What does a person see and do in the studies? */

import { readFile } from 'node:fs/promises';

import { promise } from './promise.mjs';
import { View } from './view.mjs';

export class ViewStudies extends View {
  /** @param {import('playwright-core').Page} page */
  constructor(page) {
    super(page);
    this.results = page.locator('.panel-results');
    // The 2D view has one, too, and is there until this one is.
    this.runButton = page.locator('.panel-study .button.run');
  }

  /** The engine is there, and has listed the cases of what is chosen. */
  async started() {
    await this.page.locator('.panel-study .button.run:enabled').waitFor();
  }

  async untilFinished() {
    await this.page.locator('.study-progress').waitFor({ state: 'detached', timeout: 200_000 });
    await this.untilTold();
  }

  /** What the rows say is shown. */
  async untilTold() {
    await this.page.locator('.panel-take .take-away .button:enabled').nth(2).waitFor();
  }

  async run() {
    // A small study may be over before anybody could see that it runs.
    await this.runButton.click();
    await this.untilFinished();
  }

  /** @param {RegExp} label */
  async show(label) {
    await this.results.locator('.segments label').filter({ hasText: label }).click();
  }

  /** Tables have measured themselves: those that are wider or longer than their place take the focus. */
  async untilTablesKnow() {
    await this.page.waitForFunction(() =>
      [...document.querySelectorAll('.table-scroll')].every((box) => {
        const fits = box.scrollWidth <= box.clientWidth + 1 && box.scrollHeight <= box.clientHeight + 1;
        return fits || box.getAttribute('tabindex') === '0';
      }),
    );
  }

  /** Cases that are measured, and all, as the progress tells them. */
  async cases() {
    const text = await this.page.locator('#study-left').innerText();
    return (text.match(/\d+/g) ?? []).slice(0, 2).map(Number);
  }

  /**
   * What a button of "Take home" saves.
   *
   * @param {RegExp} label
   */
  async taken(label) {
    const button = this.page.locator('.panel-take .button').filter({ hasText: label });
    const [download] = await Promise.all([this.page.waitForEvent('download'), button.click()]);
    return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
  }
}

/**
 * A promise of the studies: as `promise`, with the view opened and its engine there.
 *
 * @param {string} sentence
 * @param {import('./browser.mjs').Wishes} wishes
 * @param {(opened: import('./browser.mjs').Opened & { studies: ViewStudies }, t: import('node:test').TestContext) => Promise<void>} body
 */
export function promiseOfStudies(sentence, wishes, body) {
  promise(sentence, { ...wishes, hash: `view=studies&${wishes.hash ?? ''}`, unstarted: true }, async (opened, t) => {
    const studies = new ViewStudies(opened.page);
    if (wishes.unstarted !== true) await studies.started();
    await body({ ...opened, studies }, t);
  });
}
