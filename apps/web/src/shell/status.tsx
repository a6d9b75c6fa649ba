/**
 * What does the page say?
 *
 * One region for those who listen, only for the reader's own actions, the ends of experiments and
 * descriptions asked for: at most one message in two seconds, the latest wins. What nothing else on
 * the page would show is shown for a while too.
 */
import { signal } from '@preact/signals';

const PAUSE_MS = 2000;
/** Long enough to be read by a slow reader: about 15 characters a second. */
const SHOWN_MS = 3000;
const SHOWN_MS_A_CHARACTER = 65;

const spokenNow = signal('');
const shownNow = signal('');
let nextAt = 0;
let waiting: number | undefined;
let hiding: number | undefined;

/** For those who listen; the others see it happen. */
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

/** For everybody. */
export function tell(message: string): void {
  say(message);
  shownNow.value = message;
  window.clearTimeout(hiding);
  const duration = Math.max(SHOWN_MS, message.length * SHOWN_MS_A_CHARACTER);
  hiding = window.setTimeout(() => (shownNow.value = ''), duration);
}

export function Status() {
  return (
    <>
      <div class="visually-hidden" role="status">
        {spokenNow}
      </div>
      {shownNow.value !== '' && (
        <p class="toast" aria-hidden="true" onClick={() => (shownNow.value = '')}>
          {shownNow}
        </p>
      )}
    </>
  );
}
