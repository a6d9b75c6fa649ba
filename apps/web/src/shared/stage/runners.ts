/** Who runs a stage: a worker, or the page's own thread? */

/** The stage in CSS pixels, and in the pixels of the display that it covers. */
export interface Size {
  width: number;
  height: number;
  pixelWidth: number;
  pixelHeight: number;
}

/** What every stage is told by whoever holds its canvas. */
export type OfCanvas =
  /** An element only where the stage runs on the page's own thread. */
  { kind: 'canvas'; canvas: OffscreenCanvas | HTMLCanvasElement; size: Size } | { kind: 'resize'; size: Size };

/** What every stage says when it dies. */
export type Failed = { kind: 'failed'; message: string };

/** A stage on the page's own thread. */
export interface Stands<To> {
  receive(message: To): void;
  close(): void;
}

export interface Runner<To> {
  post(message: To): void;
  close(): void;
}

/** How a view's stage is begun on either thread. */
export interface Begins<To, Said> {
  worker: () => Worker;
  /** Loaded only when asked for: a page whose worker draws does not fetch the stage twice. */
  here: () => Promise<(say: (said: Said) => void) => Stands<To>>;
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

/** `unable` is called instead if the worker never ran a line. */
export function runInWorker<To extends { kind: string }, Said>(
  begin: () => Worker,
  hear: (said: Said | Failed) => void,
  unable: () => void,
): Runner<To> {
  const worker = begin();
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
      worker.postMessage(message, movedWith(message));
    },
    close: () => {
      closed = true;
      worker.terminate();
    },
  };
}

export function runHere<To, Said>(
  begin: Begins<To, Said>['here'],
  hear: (said: Said | Failed) => void,
): Runner<To> {
  let closed = false;
  const waiting: To[] = [];
  let post = (message: To): void => void waiting.push(message);
  let close = (): void => undefined;
  const hearUntilClosed = (said: Said | Failed): void => {
    if (!closed) hear(said);
  };
  begin()
    .then((stand) => {
      if (closed) return;
      const stage = stand(hearUntilClosed);
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

/** What changes hands with a message: it can be in one place alone. */
function movedWith(message: object): Transferable[] {
  if ('canvas' in message) return [message.canvas as OffscreenCanvas];
  return 'port' in message ? [message.port as MessagePort] : [];
}
