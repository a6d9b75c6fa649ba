import assert from 'node:assert/strict';
import { mock, test } from 'node:test';

globalThis.window = globalThis;
const { Patience } = await import('./patience.ts');

test('what comes at once is not waited for, and what does not is', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const patience = new Patience();
  for (let frame = 0; frame < 20; frame += 1) {
    patience.expect();
    mock.timers.tick(66);
    patience.meet();
    assert.equal(patience.isWaiting.value, false);
  }
  patience.expect();
  patience.expect();
  mock.timers.tick(299);
  assert.equal(patience.isWaiting.value, false);
  mock.timers.tick(1);
  assert.equal(patience.isWaiting.value, true);
  patience.expectNothing();
  assert.equal(patience.isWaiting.value, false);
  mock.timers.reset();
});

test('between two long frames it goes on waiting, and ends when frames come quickly again', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const patience = new Patience();
  for (let frame = 0; frame < 3; frame += 1) {
    patience.expect();
    mock.timers.tick(2000);
    mock.method(performance, 'now', () => 10_000 + 2000 * frame);
    patience.meet();
    assert.equal(patience.isWaiting.value, true);
  }
  mock.method(performance, 'now', () => 14_050);
  patience.meet();
  assert.equal(patience.isWaiting.value, false);
  mock.restoreAll();
  mock.timers.reset();
});
