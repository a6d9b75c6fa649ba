/**
 * How does the page hold a stage?
 *
 * The host makes the canvas, hands it to a worker and carries messages; where the browser cannot
 * do that, the same stage runs on the page's own thread. Promises: a stage that dies says `failed`,
 * once, and comes back as it was last asked to be. One that is deep in a long frame (brute force
 * over 200,000 objects takes half a minute) makes nobody wait who wants something else.
 */

import type { FromPage, FromWorker, Parameters, Size } from '../protocol.ts';
import { fillWithCanvas, watchSize } from './canvas-element.ts';
import { type Runner, type Said, runHere, runInWorker, workersCanDraw } from './runners.ts';

export interface HostOptions {
  /** Runs the stage on the page's own thread even where a worker could. */
  mainThread?: boolean;
}

/** After this a cancelled measurement counts as over, though its worker still ends a frame. */
const CANCEL_PATIENCE_MS = 80;
/** After this a worker that does not hear is replaced: people take longer pauses for a fault. */
const DEAF_PATIENCE_MS = 1500;

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
  #frame = 0;
  #playing = false;

  #ready = false;
  #failed = false;
  #deafness: ReturnType<typeof setTimeout> | undefined;
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
      this.#begin(message.parameters, 0);
      return;
    }
    this.#runner?.post(message);
    if (message.kind === 'cancel') this.#answerCancelSoon(message.id);
    if (message.kind === 'start') this.#replaceIfDeaf(() => this.#begin(message.parameters, 0));
    if (message.kind === 'change') {
      const { technique, cellSize } = message;
      this.#replaceIfDeaf(() => {
        if (this.#accepted === null) return;
        this.#begin({ ...this.#accepted, technique, cellSize }, this.#frame);
      });
    }
  }

  /** A new canvas and a new engine, with the last scene that worked, from its start. */
  restart(): void {
    this.#begin(this.#accepted ?? this.#asked, 0);
  }

  dispose(): void {
    this.#takeDown();
  }

  #begin(parameters: Parameters | null, frame: number): void {
    const unfinished = [...this.#measuring].filter((id) => !this.#abandoned.has(id));
    this.#setUp();
    for (const id of unfinished) this.#listener({ kind: 'finished', id, cancelled: true });
    for (const message of [this.#theme, this.#overlays]) {
      if (message !== null) this.#runner?.post(message);
    }
    if (parameters === null) return;
    this.#runner?.post({ kind: 'start', parameters, playing: this.#playing, frame });
  }

  #setUp(): void {
    this.#takeDown();
    this.#ready = false;
    this.#failed = false;
    this.#frame = 0;
    this.#measuring.clear();
    this.#abandoned.clear();
    const canvas = fillWithCanvas(this.#place);
    const hear = (said: Said): void => this.#hear(said);
    const runner = this.#mainThread
      ? runHere(hear)
      : runInWorker(hear, () => {
          this.#mainThread = true;
          this.restart();
        });
    const drawable = this.#mainThread ? canvas : canvas.transferControlToOffscreen();
    let first = true;
    const stopWatching = watchSize(canvas, (size: Size) => {
      runner.post(first ? { kind: 'canvas', canvas: drawable, size } : { kind: 'resize', size });
      first = false;
    });
    this.#runner = runner;
    this.#takeDown = () => {
      clearTimeout(this.#deafness);
      stopWatching();
      runner.close();
      canvas.remove();
      this.#runner = null;
      this.#takeDown = () => undefined;
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

  #hear(said: Said): void {
    if (this.#failed) return;
    // It listens, or will never listen again.
    if (said.kind === 'heard' || said.kind === 'failed') clearTimeout(this.#deafness);
    if (said.kind === 'heard') return;
    if (said.kind === 'failed') this.#failed = true;
    if (said.kind === 'ready') this.#ready = true;
    if (said.kind === 'started' || said.kind === 'changed') this.#accepted = said.parameters;
    if (said.kind === 'playing') this.#playing = said.playing;
    if (said.kind === 'frame') this.#frame = said.report.frame;
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

  #replaceIfDeaf(replace: () => void): void {
    clearTimeout(this.#deafness);
    // One that is still being fetched is not deaf, and there is none on this thread.
    if (this.#ready && !this.#mainThread) this.#deafness = setTimeout(replace, DEAF_PATIENCE_MS);
  }
}
