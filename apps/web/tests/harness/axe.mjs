/** Accessibility violations found by axe. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** Script to be evaluated in the page first. */
export const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Rules that depend on colors, and so on themes: also run where the other rules were run in another
 * language or size.
 */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/**
 * @param {import('playwright-core').Page} page
 * @param {string} where
 * @param {'all' | 'colours'} which
 * @returns {Promise<string[]>}
 */
export async function violations(page, where, which = 'all') {
  const size = page.viewportSize();
  await page.waitForFunction((width) => width === undefined || innerWidth === width, size?.width);
  await page.evaluate(rendered);
  await untilTablesMeasured(page);
  const options = which === 'all' ? { rules: { 'target-size': { enabled: true } } } : { runOnly: OF_COLOURS };
  const found = await page.evaluate((more) => globalThis.axe.run(document, { resultTypes: ['violations'], ...more }), options);
  // Under a dialog axe ignores the page.
  const least = which === 'all' ? 16 : 1;
  assert.ok(found.passes.length >= least, `${where}: only ${found.passes.length} rules were tried`);
  return found.violations.flatMap((/** @type {{ id: string, nodes: { html: string, failureSummary: string }[] }} */ { id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${where}: ${id}: ${html.slice(0, 160)} ${failureSummary}`),
  );
}

/**
 * Waits until the tables that overflow their containers are focusable: on a busy machine resize
 * observers run late. On timeout axe reports the table.
 *
 * @param {import('playwright-core').Page} page
 */
async function untilTablesMeasured(page) {
  const areMeasured = () =>
    [...document.querySelectorAll('.table-scroll')].every((box) => {
      const fits = box.scrollWidth <= box.clientWidth + 1 && box.scrollHeight <= box.clientHeight + 1;
      return fits || box.getAttribute('tabindex') === '0';
    });
  await page.waitForFunction(areMeasured, undefined, { timeout: 10_000 }).catch(() => undefined);
}

/**
 * Waits until four frames in a row leave the document unchanged, or for 60 frames of a page that
 * keeps changing. After a change of the window's size, resize observers run in the first frame; one
 * that moves an element higher in the document notifies that element's observer a frame later.
 */
function rendered() {
  return new Promise((resolve) => {
    let [quiet, left] = [0, 60];
    const changes = new MutationObserver(() => {
      quiet = 0;
    });
    changes.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    const frame = () => {
      quiet += 1;
      left -= 1;
      if (quiet > 4 || left === 0) {
        changes.disconnect();
        resolve(undefined);
      } else {
        requestAnimationFrame(frame);
      }
    };
    requestAnimationFrame(frame);
  });
}
