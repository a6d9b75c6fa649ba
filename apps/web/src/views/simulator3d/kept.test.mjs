import assert from 'node:assert/strict';
import { test } from 'node:test';

import { tab } from '../../../tests/harness/tab.mjs';
import { keep, kept } from './kept.ts';

test('several scenes are kept side by side, and one takes the place of another that is named', () => {
  globalThis.sessionStorage = tab();
  assert.ok(keep('a', 'A') && keep('b', 'B') && keep('c', 'C', 'b'));
  assert.deepEqual(['a', 'b', 'c'].map(kept), ['A', null, 'C']);
  assert.ok(keep('a', 'A', 'a'), 'in its own place');
  assert.deepEqual(['a', 'c'].map(kept), ['A', 'C']);
});

test('of more than the tab has room for the oldest go', () => {
  globalThis.sessionStorage = tab(100);
  for (const name of ['a', 'b', 'c']) assert.ok(keep(name, name.repeat(30)));
  assert.ok(keep('d', 'd'.repeat(50)));
  assert.deepEqual(['a', 'b', 'c', 'd'].map((name) => kept(name)?.length), [undefined, undefined, 30, 50]);
});

test('what is too much for the tab pushes nothing out', () => {
  globalThis.sessionStorage = tab(100);
  assert.ok(keep('a', 'a'.repeat(40)) && keep('b', 'b'.repeat(40)));
  assert.equal(keep('c', 'c'.repeat(101)), false);
  assert.deepEqual(['a', 'b', 'c'].map((name) => kept(name)?.length), [40, 40, undefined]);
  assert.ok(keep('d', 'd'.repeat(40)), 'and the oldest is still known');
  assert.deepEqual(['a', 'b', 'd'].map((name) => kept(name)?.length), [undefined, 40, 40]);
});

test('a tab does not grow with every scene that was ever left', () => {
  globalThis.sessionStorage = tab();
  for (let scene = 0; scene < 1000; scene += 1) keep(`${scene}`, 'x'.repeat(100));
  assert.equal(kept('999')?.length, 100);
  assert.ok(globalThis.sessionStorage.letters < 2000);
});

test('where nothing may be kept, nothing is, and that is told', () => {
  Object.defineProperty(globalThis, 'sessionStorage', {
    configurable: true,
    get: () => {
      throw new Error('denied');
    },
  });
  assert.equal(keep('a', 'A'), false);
  assert.equal(kept('a'), null);
});
