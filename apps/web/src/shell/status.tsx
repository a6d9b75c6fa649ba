/**
 * What does the page say?
 *
 * One region for those who listen, only for the reader's own actions, the ends of experiments and
 * descriptions asked for: at most one message in two seconds, the latest wins. What nothing else on
 * the page would show is shown for a while too, never over what was pressed to make it appear.
 *
 * A message is a function, so that it is said again in the reader's language when that changes; and it
 * can be taken back, because what is no longer so must not be read to anybody.
 */
import { computed, signal, untracked } from '@preact/signals';

import { language } from '../shared/i18n.ts';

export type Message = () => string;

const PAUSE_MS = 2000;
/** Long enough to be read by a slow reader: about 15 characters a second. */
const SHOWN_MS = 3000;
const SHOWN_MS_A_CHARACTER = 65;

const spokenNow = signal<Message | null>(null);
const shownNow = signal<{ message: Message; atTop: boolean } | null>(null);
/** The same words twice would be no change, and so not be spoken. */
const isRepeated = signal(false);
let nextAt = 0;
let waiting: { message: Message; timer: number } | null = null;
let hiding: number | undefined;

/** Changes with the language alone: what a message counts goes on changing, and nobody wants to hear it all. */
function inTheLanguage(message: Message | null | undefined): string {
  void language.value;
  return untracked(() => message?.() ?? '');
}

const spoken = computed(() => inTheLanguage(spokenNow.value) + (isRepeated.value ? '\u00a0' : ''));
const shown = computed(() => inTheLanguage(shownNow.value?.message));

/** For those who listen; the others see it happen. Returns how to take it back. An effect that says something does not follow what is said. */
export function say(message: Message): () => void {
  // What was shown before the reader went on is no longer so.
  if (shownNow.peek() !== null && shownNow.peek()?.message !== message) shownNow.value = null;
  stopWaiting();
  const wait = nextAt - performance.now();
  if (wait > 0) {
    waiting = { message, timer: window.setTimeout(() => speak(message), wait) };
  } else {
    speak(message);
  }
  return () => {
    if (waiting?.message === message) {
      stopWaiting();
    }
    if (spokenNow.peek() === message) {
      spokenNow.value = null;
    }
  };
}

function speak(message: Message): void {
  waiting = null;
  nextAt = performance.now() + PAUSE_MS;
  const isSame = untracked(() => spokenNow.value?.() === message());
  isRepeated.value = isSame && !isRepeated.peek();
  spokenNow.value = message;
}

function stopWaiting(): void {
  window.clearTimeout(waiting?.timer);
  waiting = null;
}

/** For everybody. */
export function tell(message: Message): void {
  say(message);
  shownNow.value = { message, atTop: isPressedLow() };
  window.clearTimeout(hiding);
  const duration = Math.max(SHOWN_MS, shown.peek().length * SHOWN_MS_A_CHARACTER);
  hiding = window.setTimeout(() => (shownNow.value = null), duration);
}

let pointedY: number | null = null;

/** Whether the reader is busy in the lower half: some browsers give no focus to a button that is tapped. */
function isPressedLow(): boolean {
  const focused = document.activeElement === document.body ? null : document.activeElement;
  // What belongs to something large, as a stage, is below it: its tools and its time.
  const y = focused?.getBoundingClientRect().bottom ?? pointedY ?? 0;
  return y > window.innerHeight / 2;
}

/** Remembers where the reader pressed last. */
export function watchPointer(): void {
  window.addEventListener('pointerdown', (event) => (pointedY = event.clientY), { capture: true, passive: true });
}

export function Status() {
  return (
    <>
      <div class="visually-hidden" role="status">
        {spoken}
      </div>
      {shownNow.value !== null && (
        <p class={shownNow.value.atTop ? 'toast at-top' : 'toast'} aria-hidden="true">
          {shown}
        </p>
      )}
    </>
  );
}
