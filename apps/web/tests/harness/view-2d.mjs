/** Page object of the 2D view. */

import { View } from './view.mjs';

export class View2d extends View {
  /** @param {import('playwright-core').Page} page */
  constructor(page) {
    super(page);
    this.experiments = page.locator('.panel-experiments');
  }

  /** The engine is loaded and has reported its first frame. */
  async started() {
    await this.page.waitForFunction(() => /\d/.test(document.querySelector('[data-figure="objects"] .now')?.textContent ?? ''));
  }

  /**
   * Text of a live number.
   *
   * @param {'tests' | 'pairs' | 'missed' | 'ms' | 'fps' | 'objects' | 'bytes' | 'sweep' | 'variance'} name
   * @param {'now' | 'mean'} column
   */
  figureText(name, column = 'now') {
    return this.page.locator(`[data-figure="${name}"] .${column}`).innerText();
  }

  /** @param {'tests' | 'pairs' | 'missed' | 'objects'} name */
  async figure(name) {
    return toNumber(await this.figureText(name));
  }

  async frame() {
    return toNumber(await this.page.locator('.panel-live .panel-head .end').innerText());
  }

  /** All counts of the displayed frame. */
  async counts() {
    const [frame, tests, pairs, missed, objects] = await Promise.all([
      this.frame(),
      this.figure('tests'),
      this.figure('pairs'),
      this.figure('missed'),
      this.figure('objects'),
    ]);
    return { frame, tests, pairs, missed, objects };
  }

  /** @param {number} frame */
  async untilFrame(frame) {
    await this.page.waitForFunction((wanted) => {
      const shown = document.querySelector('.panel-live .panel-head .end')?.textContent ?? '';
      return Number(shown.replace(/\D/g, '')) >= wanted;
    }, frame);
  }

  /** Steps `times` frames with the button. */
  async step(times = 1) {
    const button = this.page.locator('.toolbar .button').nth(1);
    for (let time = 0; time < times; time += 1) {
      const before = await this.frame();
      await button.click();
      await this.untilFrame(before + 1);
    }
  }

  /** @param {string} id of the field */
  field(id) {
    return this.page.locator(`#${id}`);
  }

  /**
   * Types an invalid value and returns the error beside the field.
   *
   * @param {string} id
   * @param {string} value
   */
  async refused(id, value) {
    await this.field(id).fill(value);
    const problem = this.page.locator(`#${id}-problem`);
    await problem.waitFor();
    return problem.innerText();
  }

  /**
   * Types a valid value.
   *
   * @param {string} id
   * @param {string | number} value
   */
  async enter(id, value) {
    await this.field(id).fill(String(value));
    await this.field(id).press('Enter');
    await this.page.locator(`#${id}-problem`).waitFor({ state: 'detached' });
  }

  /** @param {string} name */
  async technique(name) {
    await this.field('technique').selectOption(name);
    await this.untilAddress((address) => address.get('t') === name);
  }

  /** @param {RegExp} label */
  async choose(label) {
    await this.experiments.locator('.segments label').filter({ hasText: label }).click();
  }

  get runButton() {
    return this.experiments.locator('.button.run');
  }

  /** Runs the chosen experiment to its end. */
  async run() {
    await this.runButton.click();
    await this.page.locator('.experiment-progress').waitFor({ state: 'detached' });
    // The panels of some results are fetched when they are first shown.
    await this.page.waitForFunction(() => {
      const [panel, shown] = [document.querySelector('.panel-experiments'), '.table-scroll tbody tr, [id^=refused-]'];
      const plots = [...(panel?.querySelectorAll('.chart-plot') ?? [])];
      return panel?.querySelector(shown) != null && plots.every((plot) => plot.querySelector('canvas') !== null);
    });
  }

  /** The displayed table of results: a list of rows by column header. */
  async results() {
    const [head = [], ...rows] = await this.experiments
      .locator('.table-scroll tr')
      .evaluateAll((lines) => lines.map((line) => [...line.children].map((cell) => (cell.textContent ?? '').replaceAll('\u00a0', ' ').trim())));
    return rows.map((row) => Object.fromEntries(head.map((name, column) => [name, row[column] ?? ''])));
  }
}

/**
 * Parses a displayed integer in either language.
 *
 * @param {string} text
 */
export function toNumber(text) {
  return Number(text.replace(/[^\d−]/g, '').replace('−', '-'));
}
