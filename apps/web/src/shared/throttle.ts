/** Throttling and deferral. */
import { effect } from '@preact/signals';

/** Calls `run` at most once every `pause` milliseconds; the last call is never lost. */
export function throttle<Given>(pause: number, run: (given: Given) => void): (given: Given) => void {
  let nextAt = 0;
  let timer: number | undefined;
  let latest: Given;
  const now = (): void => {
    timer = undefined;
    nextAt = performance.now() + pause;
    run(latest);
  };
  return (given) => {
    latest = given;
    if (timer === undefined) {
      const wait = nextAt - performance.now();
      if (wait <= 0) {
        now();
      } else {
        timer = window.setTimeout(now, wait);
      }
    }
  };
}

/**
 * By then the response is on screen: browsers paint on threads that share the processor with this
 * one.
 */
const AFTERWARDS_MS = 100;

/**
 * Resolves after a response given now has been painted, to defer slow work that is no part of it.
 */
export function afterPaint(): Promise<void> {
  return new Promise((resolve) => window.setTimeout(resolve, AFTERWARDS_MS));
}

/**
 * Writes the value of `read` now and whenever it changes, each time after the next paint, because
 * the write is slow for the browser and no part of the response.
 */
export function updateAfterPaint(read: () => string, write: (text: string) => void): void {
  let written = read();
  write(written);
  effect(() => {
    const text = read();
    if (text === written) {
      return undefined;
    }
    const timer = window.setTimeout(() => write((written = text)), AFTERWARDS_MS);
    return () => window.clearTimeout(timer);
  });
}
