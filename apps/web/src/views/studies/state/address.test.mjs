import assert from 'node:assert/strict';
import { test } from 'node:test';

import { read, write } from './address.ts';
import { CATALOG } from './catalog.sample.mjs';
import { FIRST } from './choice.ts';

const readText = (text) => read(new URLSearchParams(text), CATALOG);

test('an empty link is the first study, quick', () => {
  assert.deepEqual(readText('view=studies'), { choice: FIRST, invalid: [] });
  assert.equal(write(FIRST, CATALOG).toString(), 'view=studies&study=rays');
});

test('every choice survives a round trip through its link', () => {
  for (const change of [
    { study: 'rays', quick: false, lists: { sizes: [7, 900] }, numbers: { rays: 20, seed: 4294967295, repeats: 1 }, families: ['low'], techniques: ['bvh'] },
    { study: 'broad2d', experiment: '2', lists: { objects: [3] }, numbers: { frames: 5, seeds: 1 }, show: 'rows', workers: 2 },
    { study: 'broad3d', numbers: { frames: 9 }, show: 'tables' },
    { study: 'simulator', techniques: ['contact', 'impulse'] },
  ]) {
    const choice = { ...FIRST, ...change };
    const { choice: found, invalid } = readText(write(choice, CATALOG).toString());
    assert.deepEqual([found, invalid], [choice, []]);
  }
});

test('invalid options are not written to the link', () => {
  const choice = { ...FIRST, numbers: { rays: Number.NaN, seed: -1 }, lists: { sizes: [] }, techniques: [], workers: Number.NaN };
  assert.equal(write(choice, CATALOG).toString(), 'view=studies&study=rays');
});

test('invalid parameters of a link are reported and ignored', () => {
  const { choice, invalid } = readText(
    'view=studies&study=__proto__&run=fast&show=<script>&experiment=9&sizes=1e9,-4&objects=99999999999&rays=0x10&seed=1.5&seeds=&frames=%00&repeats=NaN&families=constructor&tech=toString,bvh&workers=0&evil=1&evil=2',
  );
  assert.deepEqual(choice, { ...FIRST, techniques: ['bvh'] });
  assert.deepEqual(invalid.sort(), ['evil', 'experiment', 'families', 'frames', 'objects', 'rays', 'repeats', 'run', 'seed', 'seeds', 'show', 'sizes', 'study', 'tech', 'workers']);
});

test('an overlong list is rejected', () => {
  assert.deepEqual(readText(`study=rays&sizes=${'1,'.repeat(10_000)}1`).invalid, ['sizes']);
});
