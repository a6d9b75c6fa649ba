import assert from 'node:assert/strict';
import { test } from 'node:test';

import { backgroundTasks, setBackgroundTask } from './background-tasks.ts';

test('a view has at most one task, and removing none changes nothing', () => {
  const none = backgroundTasks.value;
  setBackgroundTask('studies', null);
  assert.equal(backgroundTasks.value, none);
  setBackgroundTask('studies', { share: 0.1, about: () => 'a' });
  setBackgroundTask('studies', { share: 0.2, about: () => 'b' });
  assert.deepEqual([...backgroundTasks.value].map(([view, { share }]) => [view, share]), [['studies', 0.2]]);
  setBackgroundTask('studies', null);
  assert.equal(backgroundTasks.value.size, 0);
});
