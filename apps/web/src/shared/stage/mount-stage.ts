/**
 * Mounts a stage in an element of the page: creates the canvas, watches its size, starts the
 * renderer.
 */

import { fillWithCanvas, watchSize } from './canvas-element.ts';
import { type StageLauncher, type Failed, type OfCanvas, type Runner, runHere, runInWorker, type Size } from './worker-or-main-thread.ts';

/** Where a stage runs: in a worker or on the main thread. */
export type Thread = 'worker' | 'page';

/** Starts a stage without state. `unable` is called instead if its worker failed to load. */
export type StartStage<To, From> = (thread: Thread, receive: (reply: From | Failed) => void, onLoadFailure: () => void) => Runner<To>;

/**
 * `place` determines the canvas's size and must be positioned. A canvas that was transferred to a
 * worker cannot be transferred again, so every stage gets its own and removes it when it closes.
 */
export function mountStage<To extends { kind: string }, From>(
  place: HTMLElement,
  begins: StageLauncher<To | OfCanvas, From>,
): StartStage<To, From> {
  return (thread, receive, onLoadFailure) => {
    const canvas = fillWithCanvas(place);
    const runner: Runner<To | OfCanvas> =
      thread === 'page' ? runHere(begins.here, receive) : runInWorker(begins.worker, receive, onLoadFailure);
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

/** Starts an engine without a canvas. */
export function startWithoutCanvas<To extends { kind: string }, From>(begins: StageLauncher<To, From>): StartStage<To, From> {
  return (thread, receive, onLoadFailure) => (thread === 'page' ? runHere(begins.here, receive) : runInWorker(begins.worker, receive, onLoadFailure));
}
