/** Counts of a study in the page equal those of the command line. */

import assert from 'node:assert/strict';

import { readTable, studied } from '../harness/program.mjs';
import { studiesTest } from '../harness/view-studies.mjs';

/** Columns that may differ, as documented in docs/files.md. */
const OF_THE_MACHINE = [
  ...['build_s', 'query_s', 'bytes', 'speedup_over_brute', 'speedup_over_study', 'ms_per_frame', 'fps'],
  ...['ms_move', 'ms_broad', 'ms_narrow', 'ms_resolve', 'ns_per_test'],
  ...['speedup_low', 'speedup_high', 'traversal_s', 'break_even_rays'],
];

/** Small studies that cover every part: form input, and command line. */
const STUDIES = {
  rays: ['sizes=100,700&rays=25&repeats=1&seed=5', '--sizes 100,700 --rays 25 --repeats 1 --seed 5'],
  broad2d: ['experiment=2&objects=10,300&frames=12&seeds=1&seed=9', '--experiment 2 --objects 10,300 --frames 12 --seeds 1 --seed 9'],
  broad3d: ['objects=60,400&frames=3&seed=4', '--objects 60,400 --frames 3 --seed 4'],
  simulator: ['tech=sweep-variance,tree,separation,impulse,soft&repeats=1&seed=2', '--technique sweep-variance,tree,separation,impulse,soft --repeats 1 --seed 2'],
  'triangle-tests': ['rays=40&repeats=1&seed=3', '--rays 40 --repeats 1 --seed 3'],
};

for (const [study, [hash, options = '']] of Object.entries(STUDIES)) {
  studiesTest(`study ${study} counts the same in every row as on the command line, with either of two workers`, { hash: `study=${study}&workers=2&${hash}` }, async ({ page, studies }) => {
    const command = studied(study, '--quick', ...options.split(' '));
    assert.equal(await page.locator('.command code').innerText(), `embate study ${study} --quick ${sorted(options)} --threads 2`);
    await studies.run();
    const { name, text } = await studies.taken(/^CSV/);
    assert.equal(name, `embate-${study}.csv`);
    const { csv, html } = await command;
    assert.equal(text.split('\n')[0], csv.split('\n')[0], 'the same columns');
    const [ours, theirs] = [counts(text), counts(csv)];
    assert.ok(theirs.length > 8 && Object.keys(theirs[0] ?? {}).length > 6);
    assert.deepEqual(ours, theirs);

    const report = (await studies.taken(/^Report/)).text;
    assert.deepEqual(outline(report), outline(html), 'the report has the same parts');
  });
}

/** @param {string} csv */
function counts(csv) {
  return readTable(csv).map((row) => Object.fromEntries(Object.entries(row).filter(([column]) => !OF_THE_MACHINE.includes(column))));
}

/**
 * Headings and charts, in order.
 *
 * @param {string} html
 */
function outline(html) {
  return [...html.matchAll(/<h[1-3][^>]*>([^<]*)|<figure[^>]*>/g)].map(([whole, text]) => text ?? whole);
}

/**
 * Options by name, as the page prints them.
 *
 * @param {string} options
 */
function sorted(options) {
  const flags = options.split(/ ?--/).filter((flag) => flag !== '');
  return flags.sort().map((flag) => `--${flag}`).join(' ');
}
