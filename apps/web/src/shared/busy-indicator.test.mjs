import assert from 'node:assert/strict';
import { mock, test } from 'node:test';

globalThis.window = globalThis;
const { BusyIndicator } = await import('./busy-indicator.ts');

test('a quick response shows no busy indicator, a slow one does', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const busyIndicator = new BusyIndicator();
  for (let frame = 0; frame < 20; frame += 1) {
    busyIndicator.requestSent();
    mock.timers.tick(66);
    busyIndicator.responseReceived();
    assert.equal(busyIndicator.isBusy.value, false);
  }
  busyIndicator.requestSent();
  busyIndicator.requestSent();
  mock.timers.tick(299);
  assert.equal(busyIndicator.isBusy.value, false);
  mock.timers.tick(1);
  assert.equal(busyIndicator.isBusy.value, true);
  busyIndicator.idle();
  assert.equal(busyIndicator.isBusy.value, false);
  mock.timers.reset();
});

test('the indicator stays between two long frames and ends when frames are quick again', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const busyIndicator = new BusyIndicator();
  for (let frame = 0; frame < 3; frame += 1) {
    busyIndicator.requestSent();
    mock.timers.tick(2000);
    mock.method(performance, 'now', () => 10_000 + 2000 * frame);
    busyIndicator.responseReceived();
    assert.equal(busyIndicator.isBusy.value, true);
  }
  mock.method(performance, 'now', () => 14_050);
  busyIndicator.responseReceived();
  assert.equal(busyIndicator.isBusy.value, false);
  mock.restoreAll();
  mock.timers.reset();
});
