import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Crew } from './crew.ts';

const REQUEST = { study: 'rays', asked: '{}' };

/** Benches that do nothing until they are told what to say. */
function benches() {
  const all = [];
  const setUp = (hear) => {
    const bench = { hear, asked: [], closed: false, post: (message) => bench.asked.push(message.case), close: () => (bench.closed = true) };
    all.push(bench);
    return bench;
  };
  return { all, setUp };
}

function listener() {
  const heard = [];
  return {
    heard,
    advanced: (number, work) => heard.push(['advanced', number, work]),
    measured: (number, rows) => heard.push(['measured', number, rows]),
    done: () => heard.push(['done']),
    failed: (message) => heard.push(['failed', message]),
  };
}

test('every case is measured once, by whoever is free', () => {
  const { all, setUp } = benches();
  const hears = listener();
  new Crew(setUp, REQUEST, [0, 1, 2, 3, 4], 2, hears);
  assert.deepEqual(all.map(({ asked }) => asked), [[0], [1]]);
  const [slow, quick] = all;
  for (const number of [1, 2, 3, 4]) quick.hear({ kind: 'measured', case: number, rows: '[]' });
  assert.ok(quick.closed && !slow.closed);
  assert.deepEqual([slow.asked, quick.asked], [[0], [1, 2, 3, 4]]);
  slow.hear({ kind: 'advanced', case: 0, work: 7 });
  slow.hear({ kind: 'measured', case: 0, rows: '[9]' });
  assert.deepEqual(hears.heard.slice(-3), [['advanced', 0, 7], ['measured', 0, '[9]'], ['done']]);
});

test('no more benches are set up than there are cases', () => {
  const { all, setUp } = benches();
  new Crew(setUp, REQUEST, [4], 8, listener());
  assert.equal(all.length, 1);
});

test('a bench that dies takes the others with it, and is told of once', () => {
  const { all, setUp } = benches();
  const hears = listener();
  new Crew(setUp, REQUEST, [0, 1, 2], 3, hears);
  all[1].hear({ kind: 'failed', message: 'out of memory' });
  assert.ok(all.every(({ closed }) => closed));
  assert.deepEqual(hears.heard, [['failed', 'out of memory']]);
});

test('who is dismissed is asked for nothing more', () => {
  const { all, setUp } = benches();
  const hears = listener();
  const crew = new Crew(setUp, REQUEST, [0, 1, 2], 1, { ...hears, measured: () => crew.dismiss() });
  all[0].hear({ kind: 'measured', case: 0, rows: '[]' });
  assert.deepEqual([all[0].asked, all[0].closed, hears.heard], [[0], true, []]);
});
