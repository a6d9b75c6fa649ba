/** Page object common to all views. */

import { decodePng, pixelsChanged } from './png.mjs';
import { untilTrue } from './until.mjs';

export class View {
  /** @param {import('playwright-core').Page} page */
  constructor(page) {
    this.page = page;
    this.stage = page.locator('.stage');
    this.status = page.getByRole('status');
  }

  address() {
    return new URLSearchParams(new URL(this.page.url()).hash.slice(1));
  }

  /**
   * The address is written with a delay.
   *
   * @param {(address: URLSearchParams) => boolean} fits
   */
  async untilAddress(fits) {
    await this.page.waitForURL((url) => fits(new URLSearchParams(url.hash.slice(1))));
  }

  /** @param {string | RegExp} words */
  async untilAnnounced(words) {
    await this.page.locator('[role="status"]').getByText(words).waitFor({ state: 'attached' });
  }

  /** @param {string} id of the field */
  field(id) {
    return this.page.locator(`#${id}`);
  }

  /**
   * Types a value and leaves the field.
   *
   * @param {string} id
   * @param {string | number} value
   */
  async enter(id, value) {
    await this.field(id).fill(String(value));
    await this.field(id).press('Enter');
  }

  /**
   * Presses Tab until the element has the focus.
   *
   * @param {import('playwright-core').Locator} wanted
   */
  async tabTo(wanted) {
    for (let press = 0; press < 250; press += 1) {
      if (await wanted.evaluate((element) => element === document.activeElement)) {
        return;
      }
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`250 presses of Tab did not come to ${wanted}`);
  }

  /**
   * Replaces the text of the focused field.
   *
   * @param {string} text
   */
  async type(text) {
    await this.page.keyboard.press('Control+A');
    await this.page.keyboard.type(text);
    await this.page.keyboard.press('Enter');
  }

  /** Screenshot of the stage. */
  async pixels() {
    return decodePng(await this.stage.screenshot());
  }

  /**
   * The stage is drawn by a worker, with a delay.
   *
   * @param {(picture: import('./png.mjs').Picture) => boolean} fits
   * @param {string} what
   */
  async untilPixels(fits, what) {
    await untilTrue(async () => fits(await this.pixels()), `the picture is not as expected: ${what}`);
  }

  /** The final picture, after drawing has ended. */
  async settled() {
    for (let before = null; ; ) {
      await this.#drawn();
      const now = await this.pixels();
      if (before !== null && pixelsChanged(now, before) === 0) {
        return now;
      }
      before = now;
    }
  }

  /** Waits until every worker and the page have processed their messages and rendered a frame. */
  async #drawn() {
    for (const worker of this.page.workers()) {
      await worker.evaluate(twoFrames).catch((/** @type {unknown} */ error) => {
        // Opening a file may terminate the worker that loaded it: it has nothing left to render.
        if (this.page.workers().includes(worker)) {
          throw error;
        }
      });
    }
    await this.page.evaluate(twoFrames);
  }
}

/** Runs in the page or in a worker. */
function twoFrames() {
  return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}
