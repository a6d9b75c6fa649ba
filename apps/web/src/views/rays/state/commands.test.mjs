import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

import { commandsOf, sceneFile, shellWord } from './commands.ts';

const CATALOG = { scenes: [{ name: 'house', isRandom: false }, { name: 'random-low', isRandom: true }] };
const read = (file) => `embate cast ${file}`;

test('commands for a generated scene write its file first, with size and seed if it is random', () => {
  assert.equal(commandsOf({ scene: 'house', count: 2000, seed: 1 }, CATALOG, read), 'embate scene house --out house.ply\nembate cast house.ply');
  const random = { scene: 'random-low', count: 500, seed: 7 };
  assert.equal(
    commandsOf(random, CATALOG, read),
    'embate scene random-low --triangles 500 --seed 7 --out random-low-500-7.ply\nembate cast random-low-500-7.ply',
  );
  assert.equal(sceneFile(random, 'txt', CATALOG), 'random-low-500-7.txt');
});

test('a file name is one word of the command line, whatever its characters', { skip: process.platform === 'win32' }, () => {
  for (const name of ['bunny.ply', 'my mesh.obj', "it's.ply", '$HOME;ls.ply', 'ação.stl', '-x.ply']) {
    const word = execFileSync('sh', ['-c', `printf %s ${shellWord(name)}`], { encoding: 'utf8' });
    assert.equal(word.replace('./', ''), name);
  }
  assert.equal(commandsOf({ file: { name: 'my mesh.obj' } }, CATALOG, read), "embate cast 'my mesh.obj'");
});
