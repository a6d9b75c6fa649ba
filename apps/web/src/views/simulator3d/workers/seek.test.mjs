import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';

import { Seeker } from './seek.ts';

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ['setTimeout'] });
});

/** A world that advances ten steps per slice. */
function world() {
  return {
    at: 0,
    seekTarget: undefined,
    steps: 0,
    headed: [],
    setSeekTarget(step) {
      this.headed.push(step);
      this.at = Math.min(this.at, step);
      this.seekTarget = step;
    },
    advanceSeek() {
      const far = Math.min(10, this.seekTarget - this.at);
      this.at += far;
      this.steps += far;
      if (this.at === this.seekTarget) this.seekTarget = undefined;
      return this.seekTarget === undefined;
    },
    cancelSeek() {
      this.seekTarget = undefined;
    },
  };
}

function request(simulator, to, events = []) {
  return { simulator, to, why: 'seek', arrived: () => events.push('arrived'), left: () => events.push('left') };
}

test('of several seeks in a row only the last is executed', () => {
  const [simulator, events] = [world(), []];
  const seeker = new Seeker((call) => call(), () => undefined);
  seeker.begin(request(simulator, 90_000, events), 'soon');
  for (const to of [60_000, 30_000, 12]) seeker.request.to = to;
  mock.timers.tick(100);
  assert.deepEqual([simulator.headed, simulator.steps, simulator.at, events], [[12], 12, 12, ['arrived']]);
});

test('another seek on the way takes effect at once', () => {
  const simulator = world();
  const seeker = new Seeker((call) => call(), () => undefined);
  seeker.begin(request(simulator, 90_000), 'now');
  assert.equal(simulator.steps, 10);
  seeker.request.to = 12;
  mock.timers.tick(1);
  assert.deepEqual([simulator.steps, simulator.at, seeker.request], [12, 12, null]);
});

test('stop keeps the current step, and another operation cancels the seek', () => {
  const [simulator, events] = [world(), []];
  const seeker = new Seeker((call) => call(), () => undefined);
  seeker.begin(request(simulator, 90_000, events), 'now');
  assert.ok(seeker.stop());
  mock.timers.tick(100);
  assert.deepEqual([simulator.at, simulator.seekTarget, events], [10, undefined, ['arrived']]);
  seeker.begin(request(simulator, 90_000, events), 'now');
  seeker.begin(request(simulator, 15, events), 'now');
  assert.deepEqual([simulator.at, events], [15, ['arrived', 'left', 'arrived']]);
});
