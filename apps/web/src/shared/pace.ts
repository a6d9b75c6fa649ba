/** How often may something happen, and when? */
import { effect } from '@preact/signals';

/** Runs at most once in `pause` milliseconds; the last call is never lost. */
export function atMostEvery<Given>(pause: number, run: (given: Given) => void): (given: Given) => void {
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

/** By then an answer is on the screen: browsers paint on threads that share the processor with this one. */
const AFTERWARDS_MS = 100;

/** Resolves when an answer that was given now can be seen: what takes long and is no part of it waits until then. */
export function afterwards(): Promise<void> {
  return new Promise((resolve) => window.setTimeout(resolve, AFTERWARDS_MS));
}

/**
 * Writes what is told now, and whenever it changes again: a moment after what the reader asked for can be seen,
 * because it is no part of that and takes the browser long.
 */
export function writeAfterwards(tell: () => string, write: (text: string) => void): void {
  let written = tell();
  write(written);
  effect(() => {
    const text = tell();
    if (text === written) {
      return undefined;
    }
    const timer = window.setTimeout(() => write((written = text)), AFTERWARDS_MS);
    return () => window.clearTimeout(timer);
  });
}
