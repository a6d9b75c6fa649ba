import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { en as enRays } from '../../views/rays/words/en.ts';
import { ptBR as ptBRRays } from '../../views/rays/words/pt-BR.ts';
import { en as en3d } from '../../views/simulator3d/words/en.ts';
import { ptBR as ptBR3d } from '../../views/simulator3d/words/pt-BR.ts';
import { en as enStudies } from '../../views/studies/words/en.ts';
import { ptBR as ptBRStudies } from '../../views/studies/words/pt-BR.ts';
import { en } from './en.ts';
import { ptBR } from './pt-BR.ts';

/** The page's own words, and those that a view brings. */
const VIEWS = [[en3d, ptBR3d], [enRays, ptBRRays], [enStudies, ptBRStudies]];
const LISTS = [[en, ptBR], ...VIEWS];

const SOURCES = fileURLToPath(new URL('../..', import.meta.url));

const forms = (message) => (typeof message === 'string' ? [message] : [message.one, message.other]);
const holes = (message) => [...new Set(forms(message).flatMap((text) => text.match(/\{[\w-]+\}/g) ?? []))].sort();

test('both languages have the same keys', () => {
  for (const [one, other] of LISTS) {
    assert.deepEqual(Object.keys(other).sort(), Object.keys(one).sort());
  }
});

test('both languages fill the same holes, and no text is empty', () => {
  for (const [one, other] of LISTS) {
    for (const [key, message] of Object.entries(one)) {
      assert.deepEqual(holes(other[key]), holes(message), key);
      for (const text of [...forms(message), ...forms(other[key])]) {
        assert.notEqual(text.trim(), '', key);
      }
    }
  }
});

test('a view does not say again what the page says already', () => {
  const known = new Set(Object.keys(en).map((key) => JSON.stringify([en[key], ptBR[key]])));
  for (const [one, other] of VIEWS) {
    const again = Object.keys(one).filter((key) => known.has(JSON.stringify([one[key], other[key]])));
    // Names such as AABB are the same everywhere, and no sentence of anybody's.
    assert.deepEqual(again.filter((key) => one[key] !== String(one[key]).toUpperCase()), []);
  }
});

test('every text is said somewhere', () => {
  const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\b(messages|words|generated)[/\\]/.test(name))
    .map((name) => readFileSync(join(SOURCES, name), 'utf8'));
  const all = sources.join('\n');
  // A key that is put together: `overlay.${name}` says all that begin so.
  const patterns = [...all.matchAll(/`(\w+\.[\w.-]*\$\{[^`]*)`/g)].map(
    ([, text = '']) => new RegExp(`^${text.replaceAll('.', '\\.').split(/\$\{[^}]*\}/).join('[\\w-]+')}$`),
  );
  for (const [list] of LISTS) {
    const silent = Object.keys(list).filter((key) => ![`'${key}'`, `"${key}"`].some((quoted) => all.includes(quoted)) && !patterns.some((pattern) => pattern.test(key)));
    assert.deepEqual(silent, []);
  }
});
