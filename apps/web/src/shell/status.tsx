/**
 * What does the page say aloud?
 *
 * One region, only for the reader's own actions, the ends of experiments and descriptions asked for;
 * at most one message in two seconds, the latest wins.
 */
import { signal } from '@preact/signals';

const PAUSE_MS = 2000;

const spokenNow = signal('');
let nextAt = 0;
let waiting: number | undefined;

export function say(message: string): void {
  window.clearTimeout(waiting);
  const wait = nextAt - performance.now();
  if (wait > 0) {
    waiting = window.setTimeout(() => say(message), wait);
    return;
  }
  nextAt = performance.now() + PAUSE_MS;
  // The same words twice would be no change, and so not be spoken.
  spokenNow.value = spokenNow.value === message ? `${message}\u00a0` : message;
}

export function Status() {
  return (
    <div class="visually-hidden" role="status">
      {spokenNow}
    </div>
  );
}
