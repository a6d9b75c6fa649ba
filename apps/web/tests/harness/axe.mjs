/** What does axe find in the page? */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** To be evaluated in the page first. */
export const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What every colour decides, and so every theme, size and language: asked also where the rest has been asked in another language or size. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/**
 * @param {import('playwright-core').Page} page
 * @param {string} where
 * @param {'all' | 'colours'} which
 * @returns {Promise<string[]>}
 */
export async function violations(page, where, which = 'all') {
  const wishes = which === 'all' ? { rules: { 'target-size': { enabled: true } } } : { runOnly: OF_COLOURS };
  const found = await page.evaluate((more) => globalThis.axe.run(document, { resultTypes: ['violations'], ...more }), wishes);
  // Under a dialog axe leaves the page out.
  const least = which === 'all' ? 16 : 1;
  assert.ok(found.passes.length >= least, `${where}: only ${found.passes.length} rules were tried`);
  return found.violations.flatMap((/** @type {{ id: string, nodes: { html: string, failureSummary: string }[] }} */ { id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${where}: ${id}: ${html.slice(0, 160)} ${failureSummary}`),
  );
}
