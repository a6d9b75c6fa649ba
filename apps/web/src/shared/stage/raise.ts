/** How does a stage come into an element of the page? A canvas, its size, and who draws on it. */

import { fillWithCanvas, watchSize } from './canvas-element.ts';
import { type Begins, type Failed, type OfCanvas, type Runner, runHere, runInWorker, type Size } from './runners.ts';

/** Where a stage may run: beside the page, or on its own thread. */
export type Thread = 'worker' | 'page';

/** Raises a stage that knows nothing yet. `unable` is called instead if its worker never ran a line. */
export type Raise<To, Said> = (thread: Thread, hear: (said: Said | Failed) => void, unable: () => void) => Runner<To>;

/**
 * In `place`, which gives the canvas its size and must be positioned. A canvas that was handed to a
 * worker cannot be handed to another, so every stage gets its own and takes it away when it closes.
 */
export function raiseIn<To extends { kind: string }, Said>(
  place: HTMLElement,
  begins: Begins<To | OfCanvas, Said>,
): Raise<To, Said> {
  return (thread, hear, unable) => {
    const canvas = fillWithCanvas(place);
    const runner: Runner<To | OfCanvas> =
      thread === 'page' ? runHere(begins.here, hear) : runInWorker(begins.worker, hear, unable);
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

/** An engine that draws nothing. */
export function raiseAlone<To extends { kind: string }, Said>(begins: Begins<To, Said>): Raise<To, Said> {
  return (thread, hear, unable) => (thread === 'page' ? runHere(begins.here, hear) : runInWorker(begins.worker, hear, unable));
}
