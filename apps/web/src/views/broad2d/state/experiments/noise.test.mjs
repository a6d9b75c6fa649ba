import assert from 'node:assert/strict';
import { test } from 'node:test';

import { isWithinNoise, noisiest, rankingOf } from './noise.ts';

const row = (technique, msPerFrame, spread = 0, missedPairs = 0) => ({
  parameters: { technique, objects: 10, bounds: 'aabb' },
  frames: 500,
  msPerFrame,
  spread,
  missedPairs,
  clockMs: 0.005,
});
const names = (rows) => rows.map(({ parameters }) => parameters.technique);

test('times are within noise if their spreads overlap or they differ by less than 10 %', () => {
  assert.ok(isWithinNoise(row('a', 0.03), row('b', 0.032)));
  assert.ok(!isWithinNoise(row('a', 0.03), row('b', 0.036)));
  assert.ok(isWithinNoise(row('a', 0.03, 0.15), row('b', 0.036, 0.1)));
  assert.ok(isWithinNoise(row('b', 0.036, 0.1), row('a', 0.03, 0.15)), 'in either order');
  assert.ok(!isWithinNoise(row('a', 0.022, 0.06), row('b', 0.064, 0.9)), 'a disturbance does not make a slow technique fast');
  assert.ok(isWithinNoise(row('a', 0.03, null), row('b', 0.031, null)), 'an unknown spread');
});

test('the ranking has the fastest complete rows, and the first that is clearly slower', () => {
  const rows = [row('brute', 2), row('tree', 0.03), row('sweep', 0.031), row('grid', 0.048), row('missing', 0.01, 0, 3)];
  const { fastest, leaders, next } = rankingOf(rows);
  assert.equal(fastest.parameters.technique, 'tree');
  assert.deepEqual(names(leaders), ['tree', 'sweep']);
  assert.equal(next.parameters.technique, 'grid');
  assert.equal(rankingOf([row('missing', 1, 0, 1)]), null);
  assert.equal(rankingOf([row('sweep', 1)]).next, null);
});

test('only a large spread is reported', () => {
  assert.equal(noisiest([row('a', 1, 0.05), row('b', 1, 0.2)]), null);
  assert.equal(noisiest([row('a', 1, 0.05), row('b', 1, 0.6)]).parameters.technique, 'b');
  assert.equal(noisiest([row('a', 1, null)]), null);
});
