import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ReplacedWorlds } from './replaced-worlds.ts';

function world(name, isOwn = true) {
  return { name, isOwn, isFree: false, free() { this.isFree = true; } };
}

test('undo returns to the replaced worlds, and redo leads back', () => {
  const worlds = new ReplacedWorlds();
  const [one, two, three] = ['one', 'two', 'three'].map((name) => world(name));
  worlds.replace(one);
  worlds.replace(two);
  assert.deepEqual([worlds.undoable, worlds.redoable], [2, 0]);
  assert.equal(worlds.exchange(three, 'undo'), two);
  assert.equal(worlds.exchange(two, 'undo'), one);
  assert.equal(worlds.exchange(one, 'undo'), null);
  assert.deepEqual([worlds.undoable, worlds.redoable], [0, 2]);
  assert.equal(worlds.exchange(one, 'redo'), two);
  assert.equal(worlds.exchange(two, 'redo'), three);
  assert.equal(worlds.exchange(three, 'redo'), null);
});

test('an unedited preset is freed, so that a row of presets keeps the scene before them', () => {
  const worlds = new ReplacedWorlds();
  const [own, preset, last] = [world('own'), world('preset', false), world('last', false)];
  worlds.replace(own);
  worlds.replace(preset);
  assert.deepEqual([own.isFree, preset.isFree, worlds.undoable], [false, true, 1]);
  assert.equal(worlds.exchange(last, 'undo'), own);
  // A new scene, or an edit: the last one cannot be reached any more.
  worlds.dropLater();
  assert.deepEqual([last.isFree, worlds.redoable], [true, 0]);
});

test('the number of stored worlds is bounded, and all are freed at the end', () => {
  const worlds = new ReplacedWorlds();
  const all = Array.from({ length: 9 }, (_, number) => world(String(number)));
  all.forEach((each) => worlds.replace(each));
  assert.deepEqual(all.filter(({ isFree }) => !isFree).map(({ name }) => name), ['6', '7', '8']);
  worlds.free();
  assert.ok(all.every(({ isFree }) => isFree));
});
