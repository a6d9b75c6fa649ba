/**
 * Is the engine at work on something long?
 *
 * A search of 50,000 objects by brute force takes seconds, in which nothing can be shown but that it is
 * being done. Whoever asks for something expects an answer; what does not come at once is waited for.
 */
import { signal } from '@preact/signals';

/** People take longer pauses for a fault; shorter notes would only blink. */
const AT_ONCE_MS = 300;

export class Patience {
  /** Something was asked, and has not come for a while. */
  readonly isWaiting = signal(false);
  #timer: number | undefined;

  /** Something is to come. */
  expect(): void {
    this.#timer ??= window.setTimeout(() => (this.isWaiting.value = true), AT_ONCE_MS);
  }

  /** It came. Waiting ends when the next comes at once: between two long frames there is no rest. */
  meet(): void {
    const cameAtOnce = !this.isWaiting.value || this.#metLately();
    this.#stop();
    if (cameAtOnce) {
      this.isWaiting.value = false;
    }
  }

  expectNothing(): void {
    this.#stop();
    this.isWaiting.value = false;
  }

  #lastMet = -Infinity;

  #metLately(): boolean {
    const now = performance.now();
    const isLately = now < this.#lastMet + AT_ONCE_MS;
    this.#lastMet = now;
    return isLately;
  }

  #stop(): void {
    window.clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
