/** Runs a stage in a worker or on the main thread. */

/** Size of the stage in CSS pixels and in display pixels. */
export interface Size {
  width: number;
  height: number;
  pixelWidth: number;
  pixelHeight: number;
}

/** Messages about the canvas, common to all stages. */
export type OfCanvas =
  /** An element only if the stage runs on the main thread. */
  { kind: 'canvas'; canvas: OffscreenCanvas | HTMLCanvasElement; size: Size } | { kind: 'resize'; size: Size };

/** Message of a stage that has failed. */
export type Failed = { kind: 'failed'; message: string };

/** A stage on the main thread. */
export interface MainThreadStage<To> {
  receive(message: To): void;
  close(): void;
}

export interface Runner<To> {
  post(message: To): void;
  close(): void;
}

/** Starts a view's stage on either thread. */
export interface StageLauncher<To, From> {
  worker: () => Worker;
  /** Imported only on demand: a page whose worker draws does not fetch the stage twice. */
  here: () => Promise<(post: (reply: From) => void) => MainThreadStage<To>>;
}

export function workersCanDraw(context: '2d' | 'webgl2'): boolean {
  return (
    typeof Worker === 'function' &&
    typeof OffscreenCanvas === 'function' &&
    'transferControlToOffscreen' in HTMLCanvasElement.prototype &&
    new OffscreenCanvas(1, 1).getContext(context) !== null
  );
}

export function pageCanDraw(context: '2d' | 'webgl2'): boolean {
  return document.createElement('canvas').getContext(context) !== null;
}

/** `unable` is called instead if the worker failed to load. */
export function runInWorker<To extends { kind: string }, From>(
  begin: () => Worker,
  receive: (reply: From | Failed) => void,
  onLoadFailure: () => void,
): Runner<To> {
  const worker = begin();
  let hasSpoken = false;
  let closed = false;
  worker.addEventListener('message', (event: MessageEvent<From>) => {
    hasSpoken = true;
    if (!closed) receive(event.data);
  });
  const died = (what: string): void => {
    if (closed) return;
    // No support for module workers, a policy that forbids them, or a missing file.
    if (hasSpoken) receive({ kind: 'failed', message: what });
    else onLoadFailure();
  };
  worker.addEventListener('error', (event) => {
    // Otherwise it is reported again, as an error of the page.
    event.preventDefault();
    died(event.message);
  });
  worker.addEventListener('messageerror', () => died('a message could not be read'));
  return {
    post: (message) => {
      worker.postMessage(message, movedWith(message));
    },
    close: () => {
      closed = true;
      worker.terminate();
    },
  };
}

export function runHere<To, From>(
  begin: StageLauncher<To, From>['here'],
  receive: (reply: From | Failed) => void,
): Runner<To> {
  let closed = false;
  const waiting: To[] = [];
  let post = (message: To): void => void waiting.push(message);
  let close = (): void => undefined;
  const receiveUntilClosed = (reply: From | Failed): void => {
    if (!closed) receive(reply);
  };
  begin()
    .then((stand) => {
      if (closed) return;
      const stage = stand(receiveUntilClosed);
      post = (message) => stage.receive(message);
      close = () => stage.close();
      waiting.forEach(post);
    })
    .catch((error: unknown) => receiveUntilClosed({ kind: 'failed', message: String(error) }));
  return {
    post: (message) => post(message),
    close: () => {
      closed = true;
      close();
    },
  };
}

/** Objects that are transferred with a message, not copied. */
function movedWith(message: object): Transferable[] {
  if ('canvas' in message) return [message.canvas as OffscreenCanvas];
  return 'port' in message ? [message.port as MessagePort] : [];
}
