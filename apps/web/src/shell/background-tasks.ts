/**
 * Background tasks: work of a view that goes on while another view is open. The header marks the
 * tab of the view.
 */
import { signal } from '@preact/signals';

export interface BackgroundTask {
  /** Share that is done, 0 to 1. */
  share: number;
  /** For the tab's tooltip and screen readers, in the page's language. */
  about: () => string;
}

/** By id of the view. */
export const backgroundTasks = signal<ReadonlyMap<string, BackgroundTask>>(new Map());

/** Adds or updates the task of a view; `null` removes it. */
export function setBackgroundTask(view: string, task: BackgroundTask | null): void {
  if (task === null && !backgroundTasks.peek().has(view)) return;
  const tasks = new Map(backgroundTasks.peek());
  if (task === null) tasks.delete(view);
  else tasks.set(view, task);
  backgroundTasks.value = tasks;
}
