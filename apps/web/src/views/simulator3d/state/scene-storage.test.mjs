import assert from 'node:assert/strict';
import { test } from 'node:test';

import { tab } from '../../../../tests/harness/session-storage.mjs';
import { storeScene, storedScene } from './scene-storage.ts';

test('several scenes are stored side by side, and one replaces another by key', () => {
  globalThis.sessionStorage = tab();
  assert.ok(storeScene('a', 'A') && storeScene('b', 'B') && storeScene('c', 'C', 'b'));
  assert.deepEqual(['a', 'b', 'c'].map(storedScene), ['A', null, 'C']);
  assert.ok(storeScene('a', 'A', 'a'), 'replaces itself');
  assert.deepEqual(['a', 'c'].map(storedScene), ['A', 'C']);
});

test('above the capacity the oldest are dropped', () => {
  globalThis.sessionStorage = tab(100);
  for (const name of ['a', 'b', 'c']) assert.ok(storeScene(name, name.repeat(30)));
  assert.ok(storeScene('d', 'd'.repeat(50)));
  assert.deepEqual(['a', 'b', 'c', 'd'].map((name) => storedScene(name)?.length), [undefined, undefined, 30, 50]);
});

test('a scene above the capacity drops no others', () => {
  globalThis.sessionStorage = tab(100);
  assert.ok(storeScene('a', 'a'.repeat(40)) && storeScene('b', 'b'.repeat(40)));
  assert.equal(storeScene('c', 'c'.repeat(101)), false);
  assert.deepEqual(['a', 'b', 'c'].map((name) => storedScene(name)?.length), [40, 40, undefined]);
  assert.ok(storeScene('d', 'd'.repeat(40)), 'the order of the others is kept');
  assert.deepEqual(['a', 'b', 'd'].map((name) => storedScene(name)?.length), [undefined, 40, 40]);
});

test('the number of stored scenes is bounded', () => {
  globalThis.sessionStorage = tab();
  for (let scene = 0; scene < 1000; scene += 1) storeScene(`${scene}`, 'x'.repeat(100));
  assert.equal(storedScene('999')?.length, 100);
  assert.ok(globalThis.sessionStorage.letters < 2000);
});

test('without storage nothing is stored, and that is reported', () => {
  Object.defineProperty(globalThis, 'sessionStorage', {
    configurable: true,
    get: () => {
      throw new Error('denied');
    },
  });
  assert.equal(storeScene('a', 'A'), false);
  assert.equal(storedScene('a'), null);
});
