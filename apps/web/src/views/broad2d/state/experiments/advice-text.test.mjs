import assert from 'node:assert/strict';
import { test } from 'node:test';

import { language } from '../../../../shared/i18n/translate.ts';
import { adviceText } from './advice-text.ts';

const advice = { technique: 'sweep', cell: 26, reason: { en: 'fastest in our benchmarks', 'pt-BR': 'a mais rápida nas medições' } };
const row = (technique, msPerFrame, missedPairs = 0) => ({
  parameters: { technique, objects: 600, bounds: 'aabb' },
  frames: 500,
  msPerFrame,
  spread: 0.02,
  missedPairs,
  clockMs: 0.005,
});
const textOf = (...rows) => adviceText(advice, { rows, state: 'finished' }, (technique) => technique.toUpperCase());

test('techniques within noise are named, and the recommended one is the safe choice', () => {
  const text = textOf(row('sweep', 0.031), row('tree', 0.03), row('brute', 0.3));
  assert.equal(text, 'TREE and SWEEP are within noise here; SWEEP is the safe choice: fastest in our benchmarks.');
});

test('a clear lead of the recommended technique is stated', () => {
  const text = textOf(row('sweep', 0.03), row('grid', 0.06), row('brute', 0.3));
  assert.equal(text, 'Fastest here, 2 times as fast as GRID, the next; fastest in our benchmarks.');
});

test('a clear lead of another technique is stated, unless it misses pairs', () => {
  const rows = [row('sweep', 0.06), row('tree', 0.03)];
  assert.match(textOf(...rows), /^In this run TREE was 2 times as fast as SWEEP: measure more frames/);
  assert.match(textOf(rows[0], row('study-grid', 0.03, 7)), /^Fastest in our benchmarks\.$/);
});

test('a run that is not finished or has no such row gives the reason alone', () => {
  assert.equal(adviceText(advice, { rows: [row('sweep', 1), row('tree', 9)], state: 'running' }, String), 'Fastest in our benchmarks.');
  assert.equal(textOf(row('tree', 1)), 'Fastest in our benchmarks.');
});

test('the text follows the language', () => {
  language.value = 'pt-BR';
  assert.equal(textOf(row('sweep', 0.031), row('tree', 0.03)), 'TREE e SWEEP empatam dentro do ruído aqui; SWEEP é a escolha segura: a mais rápida nas medições.');
  language.value = 'en';
});
