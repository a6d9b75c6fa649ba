import assert from 'node:assert/strict';
import { test } from 'node:test';

import { read, defaultState, write } from './address.ts';

const defaults = {
  width: 960,
  height: 540,
  objects: 600,
  bounds: 'aabb',
  minSize: 6,
  maxSize: 16,
  minSpeed: 20,
  maxSpeed: 80,
  technique: 'auto',
  cellSize: 24,
  seed: 1,
};
const catalog = {
  techniques: ['auto', 'study-grid'].map((name) => ({ name })),
  limits: { frames: [1, 10_000] },
  defaults,
  experiments: [{ number: 1 }, { number: 2 }],
};
const reading = (text) => read(new URLSearchParams(text), catalog);

test('an empty address is the default scene', () => {
  assert.deepEqual(reading(''), { shown: defaultState(catalog), invalid: [] });
});

test('a written address is parsed to the same bits', () => {
  const shown = {
    parameters: { ...defaults, width: 0.1 + 0.2, minSize: 1e-7, maxSize: 1.5, bounds: 'circle', technique: 'study-grid', seed: 4294967295 },
    overlays: { cells: true, boxes: true, groups: true, levels: true },
    selected: 17,
    choice: 'experiment-2',
    frames: 20,
    techniques: ['study-grid'],
  };
  assert.deepEqual(reading(write(shown).toString()), { shown, invalid: [] });
});

/** A seeded generator: the same cases in every run. */
function* numbers(seed) {
  for (let state = seed; ; state = (Math.imul(state, 1664525) + 1013904223) >>> 0) {
    yield state / 2 ** 32;
  }
}

test('every state of the controls survives a round trip through its link', () => {
  const draw = numbers(1);
  const share = () => draw.next().value;
  const oneOf = (...all) => all[Math.floor(share() * all.length)];
  // Numbers as users type them: integers, fractions, very small, very large.
  const typed = (least, most) =>
    oneOf(least, most, Math.round(least + share() * (most - least)), least + share() * (most - least));
  for (let round = 0; round < 2000; round += 1) {
    const objects = Math.max(1, Math.round(typed(1, 200_000)));
    const names = catalog.techniques.map(({ name }) => name);
    const shown = {
      parameters: {
        width: typed(10, 100_000),
        height: typed(10, 100_000),
        objects,
        bounds: oneOf('aabb', 'circle'),
        minSize: typed(0.1, 50),
        maxSize: typed(50, 100_000),
        minSpeed: oneOf(0, 1e-9, typed(0, 80)),
        maxSpeed: typed(80, 100_000),
        technique: oneOf(...names),
        cellSize: oneOf(0, 0.721, typed(0.1, 100_000)),
        seed: Math.round(typed(0, 4_294_967_295)),
      },
      overlays: { cells: oneOf(true, false), boxes: oneOf(true, false), groups: oneOf(true, false), levels: oneOf(true, false) },
      selected: oneOf(null, 0, objects - 1),
      choice: oneOf('compare', 'experiment-1', 'experiment-2'),
      frames: Math.round(typed(1, 10_000)),
      techniques: oneOf(null, [], names.slice(0, 1), names.slice(1), [...names].reverse()),
    };
    const link = write(shown).toString();
    assert.deepEqual(reading(link), { shown, invalid: [] }, link);
  }
});

test('a link without techniques is valid', () => {
  const link = write({ ...defaultState(catalog), techniques: [] });
  assert.equal(link.get('tech'), 'none');
  assert.deepEqual(reading(link.toString()).invalid, []);
  assert.deepEqual(reading('tech=').invalid, ['techniques']);
});

test('each invalid value falls back on its own and is reported', () => {
  const hostile = 'w=abc&n=&s=6-&v=1-2-3&t=<script>&b=blob&seed=1e999&cells=yes&sel=600&exp=9&frames=0&tech=auto,none&c=0x10';
  const { shown, invalid } = reading(hostile);
  assert.deepEqual(shown, defaultState(catalog));
  assert.deepEqual(invalid, [
    'width',
    'objects',
    'minSize',
    'maxSize',
    'minSpeed',
    'maxSpeed',
    'bounds',
    'technique',
    'cellSize',
    'seed',
    'cells',
    'selected',
    'experiment',
    'frames',
    'techniques',
  ].sort((one, other) => invalid.indexOf(one) - invalid.indexOf(other)));
});

test('a value of a megabyte is ignored', () => {
  assert.deepEqual(reading(`n=${'9'.repeat(1_000_000)}`).invalid, ['objects']);
});

test('duplicate and unknown parameters are rejected', () => {
  assert.deepEqual(reading('n=7&n=8').invalid, ['objects']);
  assert.deepEqual(reading('n=7&rubbish=1&%%=').invalid, ['unknown']);
  assert.deepEqual(reading('main-thread=1').invalid, []);
});
