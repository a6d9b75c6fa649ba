import assert from 'node:assert/strict';
import { test } from 'node:test';

import { read, write } from './address.ts';
import { CATALOGUE } from './catalogue.sample.mjs';
import { FIRST } from './choice.ts';

const readText = (text) => read(new URLSearchParams(text), CATALOGUE);

test('a link without anything is the first study, quick', () => {
  assert.deepEqual(readText('view=studies'), { choice: FIRST, unreadable: [] });
  assert.equal(write(FIRST, CATALOGUE).toString(), 'view=studies&study=rays');
});

test('every choice is found again in its link', () => {
  for (const change of [
    { study: 'rays', quick: false, lists: { sizes: [7, 900] }, numbers: { rays: 20, seed: 4294967295, repeats: 1 }, families: ['low'], techniques: ['bvh'] },
    { study: 'broad2d', experiment: '2', lists: { objects: [3] }, numbers: { frames: 5, seeds: 1 }, show: 'rows', workers: 2 },
    { study: 'broad3d', numbers: { frames: 9 }, show: 'tables' },
    { study: 'simulator', techniques: ['contact', 'impulse'] },
  ]) {
    const choice = { ...FIRST, ...change };
    const { choice: found, unreadable } = readText(write(choice, CATALOGUE).toString());
    assert.deepEqual([found, unreadable], [choice, []]);
  }
});

test('what is wrong or not a number stays out of the link', () => {
  const choice = { ...FIRST, numbers: { rays: Number.NaN, seed: -1 }, lists: { sizes: [] }, techniques: [], workers: Number.NaN };
  assert.equal(write(choice, CATALOGUE).toString(), 'view=studies&study=rays');
});

test('what a hostile link says is named and passed over', () => {
  const { choice, unreadable } = readText(
    'view=studies&study=__proto__&run=fast&show=<script>&experiment=9&sizes=1e9,-4&objects=99999999999&rays=0x10&seed=1.5&seeds=&frames=%00&repeats=NaN&families=constructor&tech=toString,bvh&workers=0&evil=1&evil=2',
  );
  assert.deepEqual(choice, { ...FIRST, techniques: ['bvh'] });
  assert.deepEqual(unreadable.sort(), ['evil', 'experiment', 'families', 'frames', 'objects', 'rays', 'repeats', 'run', 'seed', 'seeds', 'show', 'sizes', 'study', 'tech', 'workers']);
});

test('a list too long to be meant is refused', () => {
  assert.deepEqual(readText(`study=rays&sizes=${'1,'.repeat(10_000)}1`).unreadable, ['sizes']);
});
