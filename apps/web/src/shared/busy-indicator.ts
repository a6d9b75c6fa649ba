/**
 * Busy indicator for long engine work.
 *
 * A brute-force search of 50,000 objects takes seconds. The indicator appears when a request has
 * had no response for a while.
 */
import { signal } from '@preact/signals';

/**
 * Longer waits without feedback look like a fault; a shorter delay would make the indicator blink.
 */
const DELAY_MS = 300;

export class BusyIndicator {
  /** A request has been pending for longer than the delay. */
  readonly isBusy = signal(false);
  #timer: number | undefined;

  /** A request was sent. */
  requestSent(): void {
    this.#timer ??= window.setTimeout(() => (this.isBusy.value = true), DELAY_MS);
  }

  /**
   * A response arrived. Busy ends only if no further request follows at once, so that the indicator
   * does not blink between two long frames.
   */
  responseReceived(): void {
    const wasQuick = !this.isBusy.value || this.#receivedLately();
    this.#stop();
    if (wasQuick) {
      this.isBusy.value = false;
    }
  }

  idle(): void {
    this.#stop();
    this.isBusy.value = false;
  }

  #lastReceived = -Infinity;

  #receivedLately(): boolean {
    const now = performance.now();
    const isLately = now < this.#lastReceived + DELAY_MS;
    this.#lastReceived = now;
    return isLately;
  }

  #stop(): void {
    window.clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
