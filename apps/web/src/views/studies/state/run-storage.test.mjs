import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseStoredRun, RunStorage, storedRunOf } from './run-storage.ts';

const RUN = {
  request: { study: 'rays', options: '{"quick":true}' },
  plan: { cases: [{ key: 'a', work: 10 }, { key: 'b', work: 30 }], command: ['embate'] },
  rows: ['[1]', null],
  state: 'running',
  environment: { agent: 'a test', cores: 2, started: '2026-01-01T00:00:00Z', finished: null, resumed: 0 },
};
const STORED = storedRunOf(RUN, 'build');

test('a stored run is read as it was written', () => {
  assert.deepEqual(parseStoredRun(structuredClone(STORED)), STORED);
  assert.ok(!('state' in STORED), 'a run that was stored is not running');
});

test('records of another schema or shape are ignored', () => {
  const { plan, environment } = STORED;
  for (const change of [
    ...[{ schema: 0 }, { schema: '1' }, { build: null }],
    ...[{ request: null }, { request: { study: '__proto__', options: '{}' } }, { request: { study: 'rays', options: {} } }],
    ...[{ plan: [] }, { plan: { ...plan, cases: {} } }, { plan: { ...plan, command: [1] } }, { plan: { ...plan, cases: [{ key: 'a', work: Number.NaN }, { key: 'b', work: 1 }] } }],
    ...[{ rows: [] }, { rows: ['[1]'] }, { rows: [null, null] }, { rows: [1, null] }, { rows: 'ab' }],
    ...[{ environment: null }, { environment: { ...environment, started: 1 } }, { environment: { ...environment, resumed: 'no' } }],
  ]) {
    assert.equal(parseStoredRun({ ...STORED, ...change }), null, JSON.stringify(change));
  }
  for (const record of [null, undefined, 7, 'text', []]) assert.equal(parseStoredRun(record), null);
});

test('without storage a run continues: failures are reported as a signal, never thrown', async () => {
  const forbidden = () => { throw new DOMException('denied', 'SecurityError'); };
  const refusing = () => ({ open: () => {
    const request = { error: new Error('quota') };
    setTimeout(() => request.onerror(), 0);
    return request;
  } });
  for (const factory of [forbidden, refusing]) {
    const storage = new RunStorage(factory);
    assert.deepEqual(await storage.load(), []);
    assert.equal(storage.hasFailed.value, false);
    storage.save(STORED);
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(storage.hasFailed.value, true);
  }
});
