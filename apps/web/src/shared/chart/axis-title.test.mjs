import assert from 'node:assert/strict';
import { test } from 'node:test';

import { axisTitle } from './axis-title.ts';

test('an axis is titled by its quantity, and a logarithmic scale is named', () => {
  assert.equal(axisTitle('Cell size (px)', false), 'Cell size (px)');
  assert.equal(axisTitle('Cell size (px)', true), 'Cell size (px), log scale');
  assert.equal(axisTitle('', true), 'log scale');
});
