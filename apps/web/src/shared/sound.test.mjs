import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loudness, pitch } from './sound.ts';

test('pitch falls with mass, from 1,760 Hz to 220, on a pentatonic scale', () => {
  assert.deepEqual([pitch(0), pitch(1), pitch(-3), pitch(7)], [1760, 220, 1760, 220]);
  const notes = Array.from({ length: 16 }, (_, step) => 12 * Math.log2(pitch(step / 15) / 220));
  notes.forEach((note) => assert.ok([0, 2, 4, 7, 9].includes(Math.round(note) % 12)));
  assert.deepEqual(notes, [...notes].sort((one, other) => other - one));
});

test('loudness is logarithmic in the impulse and never zero', () => {
  assert.equal(loudness(1), 1);
  assert.equal(loudness(5), 1);
  const tenth = loudness(1) - loudness(0.1);
  assert.ok(Math.abs(loudness(0.1) - loudness(0.01) - tenth) < 1e-12);
  for (const soft of [0.0001, 0, -1, Number.NaN]) assert.equal(loudness(soft), 0.05);
});
