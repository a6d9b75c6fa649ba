/** Page object of the 3D view. */

import { View } from './view.mjs';

export class View3d extends View {
  /** The engine is loaded and has reported its first state. */
  async started() {
    await this.page.waitForFunction(() => /^[0-9a-f]{16}$/.test(document.querySelector('[data-hash]')?.getAttribute('data-hash') ?? ''));
  }

  async step() {
    return Number(await this.page.locator('[data-step]').getAttribute('data-step'));
  }

  async last() {
    return Number(await this.page.locator('[data-last]').getAttribute('data-last'));
  }

  /** @param {number} step */
  async untilStep(step) {
    await this.page.waitForFunction((wanted) => Number(document.querySelector('[data-step]')?.getAttribute('data-step')) === wanted, step);
  }

  /** @param {number} step */
  async pastStep(step) {
    await this.page.waitForFunction((wanted) => Number(document.querySelector('[data-step]')?.getAttribute('data-step')) >= wanted, step);
  }

  /** In the format of `embate simulate`. */
  hash() {
    return this.page.locator('[data-hash]').getAttribute('data-hash');
  }

  /**
   * An edit is announced at once; its state hash follows.
   *
   * @param {string | null} hash
   */
  async untilHash(hash) {
    await this.page.waitForFunction((wanted) => document.querySelector('[data-hash]')?.getAttribute('data-hash') === wanted, hash);
  }

  /** @param {string | null} before */
  async untilOtherHash(before) {
    await this.page.waitForFunction((was) => document.querySelector('[data-hash]')?.getAttribute('data-hash') !== was, before);
  }

  /**
   * Seeks by the timeline, also to a future step.
   *
   * @param {number} step
   */
  async go(step) {
    await this.page.locator('.timeline-scrub').evaluate((/** @type {HTMLInputElement} */ input, wanted) => {
      input.max = String(Math.max(Number(input.max), wanted));
      input.value = String(wanted);
      input.dispatchEvent(new Event('input', { bubbles: true }));
      input.dispatchEvent(new Event('change', { bubbles: true }));
    }, step);
    await this.untilStep(step);
  }

  /** Number of bodies in the table's header. */
  async bodies() {
    return Number(await this.page.locator('#objects-title .small').innerText());
  }

  /** @param {number} count */
  async untilBodies(count) {
    await this.page.waitForFunction((wanted) => Number(document.querySelector('#objects-title .small')?.textContent) === wanted, count);
  }

  /**
   * A displayed number, with a true minus sign.
   *
   * @param {string} id
   */
  async number(id) {
    return Number((await this.field(id).inputValue()).replace('−', '-'));
  }

  /**
   * Chooses a method and waits until it is applied: a choice made before the response to an earlier
   * one is overwritten by that.
   *
   * @param {string} name
   */
  async solver(name) {
    const about = this.page.locator('#solver-about');
    const before = await about.textContent();
    await this.field('solver').selectOption(name);
    await this.page.waitForFunction((was) => document.querySelector('#solver-about')?.textContent !== was, before);
  }

  /** @param {string} name */
  async preset(name) {
    await this.field('preset').selectOption(name);
    await this.untilAddress((address) => address.get('preset') === name);
  }
}
