/** Page object of the rays view. */

import { View } from './view.mjs';
import { untilTrue } from './until.mjs';

/** Names of the first numbers in a structure's data attributes. */
const NUMBERS = ['tests', 'boxes', 't', 'triangle'];

export class ViewRays extends View {
  /** The mesh is open, and the ray was cast in every structure. */
  async started() {
    await this.built('bvh');
    await this.page.locator('[data-structure=bvh]').waitFor();
  }

  /** @param {string} technique */
  async built(technique) {
    await this.page.locator(`[data-built=${technique}]`).waitFor();
  }

  /** All automatic builds and measurements are done. */
  async allBuilt() {
    await this.page.locator('[data-advice]').waitFor();
    await this.page.locator('[data-structure=octree]').waitFor();
  }

  /**
   * Opens a file with the button.
   *
   * @param {string} name
   * @param {Buffer | string} content
   */
  async open(name, content) {
    await this.page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });
  }

  /**
   * Drops a file on the page.
   *
   * @param {string} name
   * @param {Buffer | string} content
   */
  async drop(name, content) {
    const letters = Buffer.from(content).toString('base64');
    const dropped = await this.page.evaluateHandle(([name, letters]) => {
      const bytes = Uint8Array.from(atob(letters ?? ''), (letter) => letter.charCodeAt(0));
      const dropped = new DataTransfer();
      dropped.items.add(new File([bytes], name ?? ''));
      return dropped;
    }, [name, letters]);
    for (const type of ['dragover', 'drop']) await this.page.dispatchEvent('.lab-rays', type, { dataTransfer: dropped });
  }

  async triangles() {
    return Number(await this.page.locator('[data-triangles]').getAttribute('data-triangles'));
  }

  /** @param {number} count */
  async untilTriangles(count) {
    await this.page.locator(`[data-triangles="${count}"]`).waitFor();
  }

  /** The ray in the command line's format. */
  ray() {
    return this.page.locator('[data-ray]').getAttribute('data-ray');
  }

  /** @param {string} ray */
  async untilRay(ray) {
    await this.page.locator(`[data-ray="${ray}"]`).waitFor();
  }

  /**
   * Result of the ray in a structure.
   *
   * @param {string} technique
   * @returns {Promise<Record<string, number | null>>}
   */
  async answer(technique) {
    const row = this.page.locator(`[data-structure=${technique}]`);
    const values = await Promise.all(NUMBERS.map((name) => row.getAttribute(`data-${name}`)));
    return Object.fromEntries(NUMBERS.map((name, place) => [name, values[place] ? Number(values[place]) : null]));
  }

  /**
   * Chooses a structure that is built on request only, and builds it.
   *
   * @param {string} name
   * @param {string} technique
   */
  async build(name, technique) {
    await this.choose(name);
    await this.page.locator('.panel-structure').getByRole('button', { name: 'Build it' }).click();
    await this.built(technique);
  }

  /** @param {string} name */
  async choose(name) {
    await this.page.locator('.panel-structure .segments').getByText(name, { exact: true }).click();
  }

  async step() {
    return Number(await this.page.locator('[data-step]').getAttribute('data-step'));
  }

  async steps() {
    return Number(await this.page.locator('[data-steps]').getAttribute('data-steps'));
  }

  /** @param {number} step */
  async untilStep(step) {
    await this.page.locator(`[data-step="${step}"]`).waitFor();
  }

  /** The heat maps are complete. */
  async untilHeatMaps() {
    await untilTrue(() => this.page.locator('.panel-heat').getByRole('button', { name: 'CSV' }).isEnabled(), 'the heat maps are not done');
  }

  /**
   * @param {string} technique
   * @returns {Promise<{ total: number, max: number, mean: number }>}
   */
  async heat(technique) {
    const map = this.page.locator(`[data-map=${technique}]`);
    const [total, max, mean] = await Promise.all(['total', 'max', 'mean'].map((name) => map.getAttribute(`data-${name}`)));
    return { total: Number(total), max: Number(max), mean: Number(mean) };
  }
}
