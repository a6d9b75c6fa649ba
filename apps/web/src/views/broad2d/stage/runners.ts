/** Who runs a stage: a worker, or the page's own thread? */

import type { FromWorker, ToWorker } from '../protocol.ts';

/** A stage also says which question it has heard, which is the host's business alone. */
export type Said = FromWorker | { kind: 'heard'; ask: number };

export interface Runner {
  post(message: ToWorker): void;
  close(): void;
}

export function workersCanDraw(): boolean {
  return (
    typeof Worker === 'function' &&
    typeof OffscreenCanvas === 'function' &&
    'transferControlToOffscreen' in HTMLCanvasElement.prototype &&
    new OffscreenCanvas(1, 1).getContext('2d') !== null
  );
}

/** `unable` is called instead if the worker never ran a line. */
export function runInWorker(hear: (said: Said) => void, unable: () => void): Runner {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  let spoke = false;
  let closed = false;
  worker.addEventListener('message', (event: MessageEvent<Said>) => {
    spoke = true;
    if (!closed) hear(event.data);
  });
  const died = (what: string): void => {
    if (closed) return;
    // A browser without module workers, a policy that forbids them, a file that is not there.
    if (spoke) hear({ kind: 'failed', message: what });
    else unable();
  };
  worker.addEventListener('error', (event) => {
    // Else it is told again, as an error of the page.
    event.preventDefault();
    died(event.message);
  });
  worker.addEventListener('messageerror', () => died('a message could not be read'));
  return {
    post: (message) => {
      const moved = message.kind === 'canvas' ? [message.canvas as OffscreenCanvas] : [];
      worker.postMessage(message, moved);
    },
    close: () => {
      closed = true;
      worker.terminate();
    },
  };
}

export function runHere(hear: (said: Said) => void): Runner {
  let closed = false;
  const waiting: ToWorker[] = [];
  let post = (message: ToWorker): void => void waiting.push(message);
  let close = (): void => undefined;
  const hearUntilClosed = (said: Said): void => {
    if (!closed) hear(said);
  };
  // Loaded only here: a page whose worker draws does not fetch the stage twice.
  Promise.all([import('./stage.ts'), import('./engine.ts')])
    .then(([{ Stage }, { loadEngine }]) => {
      if (closed) return;
      const stage = new Stage(hearUntilClosed, loadEngine);
      post = (message) => stage.receive(message);
      close = () => stage.close();
      waiting.forEach(post);
    })
    .catch((error: unknown) => hearUntilClosed({ kind: 'failed', message: String(error) }));
  return {
    post: (message) => post(message),
    close: () => {
      closed = true;
      close();
    },
  };
}
