/** How does a stage come into an element of the page? A canvas, its size, and who draws on it. */

import type { Size } from '../protocol.ts';
import { fillWithCanvas, watchSize } from './canvas-element.ts';
import { type Runner, type Said, runHere, runInWorker } from './runners.ts';

/** Where a stage may run: beside the page, or on its own thread. */
export type Thread = 'worker' | 'page';

/** Raises a stage that knows nothing yet. `unable` is called instead if its worker never ran a line. */
export type Raise = (thread: Thread, hear: (said: Said) => void, unable: () => void) => Runner;

/**
 * In `place`, which gives the canvas its size and must be positioned. A canvas that was handed to a
 * worker cannot be handed to another, so every stage gets its own and takes it away when it closes.
 */
export function raiseIn(place: HTMLElement): Raise {
  return (thread, hear, unable) => {
    const canvas = fillWithCanvas(place);
    const runner = thread === 'page' ? runHere(hear) : runInWorker(hear, unable);
    const drawable = thread === 'page' ? canvas : canvas.transferControlToOffscreen();
    let first = true;
    const stopWatching = watchSize(canvas, (size: Size) => {
      runner.post(first ? { kind: 'canvas', canvas: drawable, size } : { kind: 'resize', size });
      first = false;
    });
    return {
      post: (message) => runner.post(message),
      close: () => {
        stopWatching();
        runner.close();
        canvas.remove();
      },
    };
  };
}
