import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';

import { Course } from './course.ts';

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ['setTimeout'] });
});

/** A world that makes ten steps a slice. */
function world() {
  return {
    at: 0,
    goal: undefined,
    steps: 0,
    headed: [],
    headFor(step) {
      this.headed.push(step);
      this.at = Math.min(this.at, step);
      this.goal = step;
    },
    approach() {
      const far = Math.min(10, this.goal - this.at);
      this.at += far;
      this.steps += far;
      if (this.at === this.goal) this.goal = undefined;
      return this.goal === undefined;
    },
    stay() {
      this.goal = undefined;
    },
  };
}

function journey(simulator, to, told = []) {
  return { simulator, to, why: 'seek', arrived: () => told.push('arrived'), left: () => told.push('left') };
}

test('of many places that are asked for in a row only the last is gone to', () => {
  const [simulator, told] = [world(), []];
  const course = new Course((call) => call(), () => undefined);
  course.begin(journey(simulator, 90_000, told), 'soon');
  for (const to of [60_000, 30_000, 12]) course.journey.to = to;
  mock.timers.tick(100);
  assert.deepEqual([simulator.headed, simulator.steps, simulator.at, told], [[12], 12, 12, ['arrived']]);
});

test('another place that is asked for on the way is gone to at once', () => {
  const simulator = world();
  const course = new Course((call) => call(), () => undefined);
  course.begin(journey(simulator, 90_000), 'now');
  assert.equal(simulator.steps, 10);
  course.journey.to = 12;
  mock.timers.tick(1);
  assert.deepEqual([simulator.steps, simulator.at, course.journey], [12, 12, null]);
});

test('who stops stays on the way, and who does something else leaves it', () => {
  const [simulator, told] = [world(), []];
  const course = new Course((call) => call(), () => undefined);
  course.begin(journey(simulator, 90_000, told), 'now');
  assert.ok(course.stop());
  mock.timers.tick(100);
  assert.deepEqual([simulator.at, simulator.goal, told], [10, undefined, ['arrived']]);
  course.begin(journey(simulator, 90_000, told), 'now');
  course.begin(journey(simulator, 15, told), 'now');
  assert.deepEqual([simulator.at, told], [15, ['arrived', 'left', 'arrived']]);
});
