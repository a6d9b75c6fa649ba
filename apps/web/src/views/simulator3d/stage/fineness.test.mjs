import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Fineness } from './fineness.ts';

function paced(...pictures) {
  const fineness = new Fineness();
  return pictures.map((fps) => {
    fineness.pace(fps);
    return Number(fineness.share.toFixed(2));
  });
}

test('what plays slowly gets coarser, to a limit, and is whole again at rest', () => {
  assert.deepEqual(paced(0, 12, 12, 12, 12, 'rests'), [1, 0.8, 0.64, 0.6, 0.6, 1]);
});

test('it gets finer only where there is much time, so that it does not go back and forth', () => {
  assert.deepEqual(paced(12, 30, 49, 60, 60), [0.8, 0.8, 0.8, 1, 1]);
});
