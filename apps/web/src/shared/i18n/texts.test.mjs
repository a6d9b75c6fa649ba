import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { en as en2d } from '../../views/broad2d/i18n/en.ts';
import { ptBR as ptBR2d } from '../../views/broad2d/i18n/pt-BR.ts';
import { resultsEn } from '../../views/broad2d/i18n/results-en.ts';
import { resultsPtBR } from '../../views/broad2d/i18n/results-pt-BR.ts';
import { en as enRays } from '../../views/rays/i18n/en.ts';
import { ptBR as ptBRRays } from '../../views/rays/i18n/pt-BR.ts';
import { en as en3d } from '../../views/simulator3d/i18n/en.ts';
import { ptBR as ptBR3d } from '../../views/simulator3d/i18n/pt-BR.ts';
import { en as enStudies } from '../../views/studies/i18n/en.ts';
import { ptBR as ptBRStudies } from '../../views/studies/i18n/pt-BR.ts';
import { en } from './en.ts';
import { ptBR } from './pt-BR.ts';

/** Texts of the page, and of each view. */
const VIEWS = [[en2d, ptBR2d], [resultsEn, resultsPtBR], [en3d, ptBR3d], [enRays, ptBRRays], [enStudies, ptBRStudies]];
const LISTS = [[en, ptBR], ...VIEWS];

const SOURCES = fileURLToPath(new URL('../..', import.meta.url));

const forms = (message) => (typeof message === 'string' ? [message] : [message.one, message.other]);
const holes = (message) => [...new Set(forms(message).flatMap((text) => text.match(/\{[\w-]+\}/g) ?? []))].sort();

test('both languages have the same keys', () => {
  for (const [one, other] of LISTS) {
    assert.deepEqual(Object.keys(other).sort(), Object.keys(one).sort());
  }
});

test('both languages have the same placeholders, and no text is empty', () => {
  for (const [one, other] of LISTS) {
    for (const [key, message] of Object.entries(one)) {
      assert.deepEqual(holes(other[key]), holes(message), key);
      for (const text of [...forms(message), ...forms(other[key])]) {
        assert.notEqual(text.trim(), '', key);
      }
    }
  }
});

test('a view does not repeat texts of the page', () => {
  const known = new Set(Object.keys(en).map((key) => JSON.stringify([en[key], ptBR[key]])));
  for (const [one, other] of VIEWS) {
    const again = Object.keys(one).filter((key) => known.has(JSON.stringify([one[key], other[key]])));
    // Names such as AABB are the same everywhere.
    assert.deepEqual(again.filter((key) => one[key] !== String(one[key]).toUpperCase()), []);
  }
});

/** Regressions: words and aims of others, or of this project, printed as the authors' own. */
test('texts attribute nothing to a study that it does not state', () => {
  const texts = (list, keys) => Object.entries(list).filter(([key]) => keys.test(key)).flatMap(([, message]) => forms(message)).join('\n');
  for (const [list2d, list3d, listStudies] of [[{ ...en2d, ...resultsEn }, en3d, enStudies], [{ ...ptBR2d, ...resultsPtBR }, ptBR3d, ptBRStudies]]) {
    // "Much smaller" is of Hastings et al. 2005.
    assert.doesNotMatch(texts(list2d, /^finding\./) + texts(listStudies, /^guide\./), /much smaller|(muito|bem) menor/);
    // Missed pairs are found by Embate.
    assert.doesNotMatch(texts(listStudies, /^guide\.\w+\.findings$/), /miss|perde|bit/);
    assert.match(texts(list2d, /^finding\.missed$/), /does not mention|não o menciona/);
    assert.match(texts(list2d, /^finding\.memory$/), /did not measure|não mediu/);
    // The stated aim of Lasch is to explain; use without the screen is an aim of Embate.
    assert.match(texts(list3d, /^about\.credit$/), /(explain|explicar).*\..*Embate/);
    // Fixed axes and the details of "positions only" are Embate's.
    assert.doesNotMatch(texts(listStudies, /^technique\.(sweep-[xyz]|positions)\.about$/), /^(As published|Como publicado)/m);
  }
});

test('every text is used', () => {
  const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\bgenerated[/\\]|\bi18n[/\\](errors-)?(en|pt-BR)\.ts$/.test(name))
    .map((name) => readFileSync(join(SOURCES, name), 'utf8'));
  const all = sources.join('\n');
  // A computed key: `overlay.${name}` counts as a use of all keys with that prefix.
  const patterns = [...all.matchAll(/`(\w+\.[\w.-]*\$\{[^`]*)`/g)].map(
    ([, text = '']) => new RegExp(`^${text.replaceAll('.', '\\.').split(/\$\{[^}]*\}/).join('[\\w-]+')}$`),
  );
  for (const [list] of LISTS) {
    const silent = Object.keys(list).filter((key) => ![`'${key}'`, `"${key}"`].some((quoted) => all.includes(quoted)) && !patterns.some((pattern) => pattern.test(key)));
    assert.deepEqual(silent, []);
  }
});

/** Texts that name a button or a choice, with the key of its label. */
const NAMED = [
  [enStudies, ptBRStudies, 'results.empty.hint', 'experiment.run'],
  [enStudies, ptBRStudies, 'run.stopped', 'run.resume'],
  [en2d, ptBR2d, 'experiment.left.stop', 'experiment.cancel'],
  [en2d, ptBR2d, 'about.broad', 'form.cells'],
  [en2d, ptBR2d, 'stage.empty', 'stage.fit'],
  [en2d, ptBR2d, 'form.other-world', 'experiment.compare'],
  [enRays, ptBRRays, 'sight.hint', 'stage.click.sight'],
  [en3d, ptBR3d, 'about.chain', 'cost.title'],
  [en3d, ptBR3d, 'announce.cleared', 'objects.undo'],
];

test('texts that name a button contain its present label, in both languages', () => {
  for (const [one, other, text, label] of NAMED) {
    for (const [view, page] of [[one, en], [other, ptBR]]) {
      const wanted = (view[label] ?? page[label]).toLowerCase();
      for (const form of forms(view[text])) assert.ok(form.toLowerCase().includes(wanted), `${text}: “${form}” without “${wanted}”`);
    }
  }
});
