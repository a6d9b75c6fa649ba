import assert from 'node:assert/strict';
import { test } from 'node:test';

import { WorkerPool } from './worker-pool.ts';

const REQUEST = { study: 'rays', options: '{}' };

/** Workers that do nothing until the test sends their messages. */
function runners() {
  const all = [];
  const startWorker = (receive) => {
    const worker = { receive, options: [], closed: false, post: (message) => worker.options.push(message.case), close: () => (worker.closed = true) };
    all.push(worker);
    return worker;
  };
  return { all, startWorker };
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

test('every case is measured once, by any free worker', () => {
  const { all, startWorker } = runners();
  const callbacks = listener();
  new WorkerPool(startWorker, REQUEST, [0, 1, 2, 3, 4], 2, callbacks);
  assert.deepEqual(all.map(({ options }) => options), [[0], [1]]);
  const [slow, quick] = all;
  for (const number of [1, 2, 3, 4]) quick.receive({ kind: 'measured', case: number, rows: '[]' });
  assert.ok(quick.closed && !slow.closed);
  assert.deepEqual([slow.options, quick.options], [[0], [1, 2, 3, 4]]);
  slow.receive({ kind: 'advanced', case: 0, work: 7 });
  slow.receive({ kind: 'measured', case: 0, rows: '[9]' });
  assert.deepEqual(callbacks.heard.slice(-3), [['advanced', 0, 7], ['measured', 0, '[9]'], ['done']]);
});

test('no more workers are started than there are cases', () => {
  const { all, startWorker } = runners();
  new WorkerPool(startWorker, REQUEST, [4], 8, listener());
  assert.equal(all.length, 1);
});

test('a failed worker terminates the others, and is reported once', () => {
  const { all, startWorker } = runners();
  const callbacks = listener();
  new WorkerPool(startWorker, REQUEST, [0, 1, 2], 3, callbacks);
  all[1].receive({ kind: 'failed', message: 'out of memory' });
  assert.ok(all.every(({ closed }) => closed));
  assert.deepEqual(callbacks.heard, [['failed', 'out of memory']]);
});

test('a terminated pool gets no further requests', () => {
  const { all, startWorker } = runners();
  const callbacks = listener();
  const pool = new WorkerPool(startWorker, REQUEST, [0, 1, 2], 1, { ...callbacks, measured: () => pool.dismiss() });
  all[0].receive({ kind: 'measured', case: 0, rows: '[]' });
  assert.deepEqual([all[0].options, all[0].closed, callbacks.heard], [[0], true, []]);
});
