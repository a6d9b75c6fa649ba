/**
 * Status messages: one live region for screen readers, and a toast.
 *
 * The live region announces the user's own actions, the ends of experiments and requested
 * descriptions: at most one message every two seconds, the latest wins. The end of a long run is
 * news in every view: it is neither replaced by a later message nor removed when its view is left.
 * Messages that nothing else on the page shows also appear as a toast, placed so that it does not
 * cover the control that caused it.
 *
 * A message is a function, so that it can be repeated in another language; and it can be withdrawn
 * once it is out of date.
 */
import { computed, signal, untracked } from '@preact/signals';

import { language } from '../shared/i18n/translate.ts';

export type Message = () => string;

const PAUSE_MS = 2000;
/** About 15 characters per second, for slow readers. */
const SHOWN_MS = 3000;
const SHOWN_MS_PER_CHARACTER = 65;

/** `isNews`: the message concerns every view, and later messages wait for it. */
interface Announcement {
  message: Message;
  isNews: boolean;
}

const spokenNow = signal<Announcement | null>(null);
const shownNow = signal<(Announcement & { atTop: boolean }) | null>(null);
/** Identical text would be no change and thus not be announced. */
const isRepeated = signal(false);
let nextAt = 0;
/** News in the order of arrival, then at most one other message. */
let waiting: Announcement[] = [];
let speaking: number | undefined;
let hiding: number | undefined;

/** Depends on the language only: counts within a message must not announce it again. */
function inTheLanguage(message: Message | null | undefined): string {
  void language.value;
  return untracked(() => message?.() ?? '');
}

const spoken = computed(() => inTheLanguage(spokenNow.value?.message) + (isRepeated.value ? '\u00a0' : ''));
const shown = computed(() => inTheLanguage(shownNow.value?.message));

/**
 * Announces a message to screen readers only. Returns a function that withdraws it. Does not
 * subscribe an enclosing effect to the message's signals.
 */
export function announce(message: Message, { isNews = false } = {}): () => void {
  // The toast is out of date once something else is announced.
  if (shownNow.peek()?.message !== message && shownNow.peek()?.isNews === false) {
    shownNow.value = null;
  }
  waiting = waiting.filter((other) => other.isNews);
  waiting.push({ message, isNews });
  speakNext();
  return () => {
    waiting = waiting.filter((other) => other.message !== message);
    if (spokenNow.peek()?.message === message) {
      spokenNow.value = null;
    }
  };
}

/** Speaks the next message now, or when the pause after the last one is over. */
function speakNext(): void {
  window.clearTimeout(speaking);
  if (waiting.length === 0) {
    return;
  }
  const wait = nextAt - performance.now();
  if (wait > 0) {
    speaking = window.setTimeout(speakNext, wait);
    return;
  }
  const [next, ...later] = waiting as [Announcement, ...Announcement[]];
  waiting = later;
  nextAt = performance.now() + PAUSE_MS;
  const isSame = untracked(() => spokenNow.value?.message() === next.message());
  isRepeated.value = isSame && !isRepeated.peek();
  spokenNow.value = next;
  speakNext();
}

/** Announces a message and shows it as a toast. */
export function showToast(message: Message, { isNews = false } = {}): void {
  announce(message, { isNews });
  shownNow.value = { message, isNews, atTop: isPressedLow() };
  window.clearTimeout(hiding);
  const duration = Math.max(SHOWN_MS, shown.peek().length * SHOWN_MS_PER_CHARACTER);
  hiding = window.setTimeout(() => (shownNow.value = null), duration);
}

/** Removes the messages of the view that is left. The next message does not wait for them. */
export function clearMessages(): void {
  waiting = waiting.filter((other) => other.isNews);
  if (shownNow.peek()?.isNews === false) {
    shownNow.value = null;
  }
  if (spokenNow.peek()?.isNews !== true) {
    nextAt = 0;
    spokenNow.value = null;
  }
  speakNext();
}

let pointedY: number | null = null;

/**
 * Whether the focused or last pressed control is in the lower half: some browsers do not focus a
 * tapped button.
 */
function isPressedLow(): boolean {
  const focused = document.activeElement === document.body ? null : document.activeElement;
  // The controls of a large element, such as a stage, are at its bottom.
  const y = focused?.getBoundingClientRect().bottom ?? pointedY ?? 0;
  return y > window.innerHeight / 2;
}

/** Tracks where the user pressed last. */
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
