/**
 * How does the page hold a stage?
 *
 * The host makes the canvas, hands it to a worker and carries messages. Where the browser cannot
 * do that it runs the same `Stage` on the page's own thread. Promise: a stage that dies says
 * `failed`, once, and `restart` brings it back as it was last asked to be.
 */

import type { FromPage, FromWorker, Parameters, Size, ToWorker } from '../protocol.ts';
import { fillWithCanvas, watchSize } from './canvas-element.ts';

export interface HostOptions {
  /** Runs the stage on the page's own thread even where a worker could. */
  mainThread?: boolean;
}

/** Somebody who runs a stage: a worker, or this thread. */
interface Runner {
  post(message: ToWorker): void;
  close(): void;
}

/** A worker that measures cannot hear `cancel` within a frame; people should not wait for it. */
const CANCEL_PATIENCE_MS = 80;

export class StageHost {
  readonly #place: HTMLElement;
  readonly #listener: (said: FromWorker) => void;
  #mainThread: boolean;
  #runner: Runner | null = null;
  #takeDown: () => void = () => undefined;

  /** What a new worker must be told to be as the old one was. */
  #theme: FromPage | null = null;
  #overlays: FromPage | null = null;
  #asked: Parameters | null = null;
  #accepted: Parameters | null = null;
  #playing = false;

  #failed = false;
  readonly #measuring = new Set<number>();
  /** Measurements that the page was told are over while the worker still ends its frame. */
  readonly #abandoned = new Set<number>();

  /** The canvas is laid into `place`, which gives it its size and must be positioned. */
  constructor(place: HTMLElement, listener: (said: FromWorker) => void, options: HostOptions = {}) {
    this.#place = place;
    this.#listener = listener;
    this.#mainThread = options.mainThread === true || !workersCanDraw();
    this.#setUp();
  }

  /** A stage that has failed hears nothing but a `start`, which brings it back with that scene. */
  send(message: FromPage): void {
    this.#remember(message);
    if (this.#failed && message.kind === 'start') {
      this.#accepted = null;
      this.restart();
      return;
    }
    this.#runner?.post(message);
    if (message.kind === 'cancel') {
      this.#answerCancelSoon(message.id);
    }
  }

  /** A new canvas and a new engine, with the last scene that worked, from its start. */
  restart(): void {
    const parameters = this.#accepted ?? this.#asked;
    const playing = this.#playing;
    this.#setUp();
    for (const message of [this.#theme, this.#overlays]) {
      if (message !== null) this.#runner?.post(message);
    }
    if (parameters !== null) {
      this.#playing = playing;
      this.#runner?.post({ kind: 'start', parameters, playing });
    }
  }

  dispose(): void {
    this.#takeDown();
  }

  #setUp(): void {
    this.#takeDown();
    this.#failed = false;
    this.#measuring.clear();
    this.#abandoned.clear();
    const canvas = fillWithCanvas(this.#place);
    const runner = this.#mainThread ? this.#runHere() : this.#runInWorker();
    const drawable = this.#mainThread ? canvas : canvas.transferControlToOffscreen();
    let first = true;
    const stopWatching = watchSize(canvas, (size: Size) => {
      runner.post(first ? { kind: 'canvas', canvas: drawable, size } : { kind: 'resize', size });
      first = false;
    });
    this.#runner = runner;
    this.#takeDown = () => {
      stopWatching();
      runner.close();
      canvas.remove();
      this.#runner = null;
      this.#takeDown = () => undefined;
    };
  }

  #runInWorker(): Runner {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    let spoke = false;
    let closed = false;
    worker.addEventListener('message', (event: MessageEvent<FromWorker>) => {
      spoke = true;
      this.#hear(event.data);
    });
    const died = (what: string) => {
      if (closed) return;
      if (spoke) {
        this.#hear({ kind: 'failed', message: what });
      } else {
        // It never ran a line: a browser without module workers, or a policy that forbids them.
        this.#mainThread = true;
        this.restart();
      }
    };
    worker.addEventListener('error', (event) => died(event.message));
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

  #runHere(): Runner {
    let closed = false;
    const waiting: ToWorker[] = [];
    let post = (message: ToWorker): void => void waiting.push(message);
    let close = (): void => undefined;
    const hear = (said: FromWorker): void => {
      if (!closed) this.#hear(said);
    };
    // Loaded only here: a page whose worker draws does not fetch the stage twice.
    Promise.all([import('./stage.ts'), import('./engine.ts')])
      .then(([{ Stage }, { loadEngine }]) => {
        if (closed) return;
        const stage = new Stage(hear, loadEngine);
        post = (message) => stage.receive(message);
        close = () => stage.close();
        waiting.forEach(post);
      })
      .catch((error: unknown) => hear({ kind: 'failed', message: String(error) }));
    return {
      post: (message) => post(message),
      close: () => {
        closed = true;
        close();
      },
    };
  }

  #remember(message: FromPage): void {
    if (message.kind === 'theme') this.#theme = message;
    if (message.kind === 'overlays') this.#overlays = message;
    if (message.kind === 'play' || message.kind === 'pause') this.#playing = message.kind === 'play';
    if (message.kind === 'start') {
      this.#asked = message.parameters;
      this.#playing = message.playing;
    }
    if (message.kind === 'measure') this.#measuring.add(message.id);
  }

  #hear(said: FromWorker): void {
    if (this.#failed) return;
    if (said.kind === 'failed') this.#failed = true;
    if (said.kind === 'started' || said.kind === 'changed') this.#accepted = said.parameters;
    if (said.kind === 'playing') this.#playing = said.playing;
    if ('id' in said && said.kind !== 'picture') {
      if (said.kind === 'finished') this.#measuring.delete(said.id);
      if (this.#abandoned.has(said.id)) return;
    }
    this.#listener(said);
  }

  #answerCancelSoon(id: number): void {
    setTimeout(() => {
      if (!this.#measuring.has(id) || this.#failed || this.#abandoned.has(id)) return;
      this.#abandoned.add(id);
      this.#listener({ kind: 'finished', id, cancelled: true });
    }, CANCEL_PATIENCE_MS);
  }
}

function workersCanDraw(): boolean {
  return (
    typeof Worker === 'function' &&
    typeof OffscreenCanvas === 'function' &&
    'transferControlToOffscreen' in HTMLCanvasElement.prototype &&
    new OffscreenCanvas(1, 1).getContext('2d') !== null
  );
}
