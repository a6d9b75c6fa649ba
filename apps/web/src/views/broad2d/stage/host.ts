/**
 * How does the page hold a stage?
 *
 * The host makes the canvas, hands it to a worker and carries messages; where the browser cannot
 * do that, the same stage runs on the page's own thread. Promises: a stage that dies says `failed`,
 * once, and comes back as it was last asked to be. One that is deep in a long frame (brute force
 * over 200,000 objects takes half a minute) makes nobody wait who wants something else.
 */

import type { FromPage, FromWorker, Parameters, Selection, Size } from '../protocol.ts';
import { fillWithCanvas, watchSize } from './canvas-element.ts';
import { type Runner, type Said, runHere, runInWorker, workersCanDraw } from './runners.ts';

export interface HostOptions {
  /** Runs the stage on the page's own thread even where a worker could. */
  mainThread?: boolean;
  /** Runs it in another way than a browser does. */
  runInWorker?: typeof runInWorker;
}

/** After this a cancelled measurement counts as over, though its worker still ends a frame. */
const CANCEL_PATIENCE_MS = 80;
/** After this a worker that does not hear is replaced: people take longer pauses for a fault. */
const DEAF_PATIENCE_MS = 1500;

/** Moves of objects that are made up for in about a second; a longer way begins at the start again. */
const MOST_MOVES = 200_000_000;
/** The number of what the host asks by itself; the page's are greater. */
const OWN_ASK = 0;

export class StageHost {
  readonly #place: HTMLElement;
  readonly #listener: (said: FromWorker) => void;
  readonly #runInWorker: typeof runInWorker;
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
  #selected: Selection | null = null;
  /** The number of the last question; a new worker answers that one. */
  #ask = 0;

  /** The frame that a worker which replaced another was begun at, until it answers. */
  #begunAt: number | null = null;
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
    this.#runInWorker = options.runInWorker ?? runInWorker;
    this.#mainThread = options.mainThread === true || (options.runInWorker === undefined && !workersCanDraw());
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
        const moves = this.#frame * this.#accepted.objects;
        this.#begin({ ...this.#accepted, technique, cellSize }, moves <= MOST_MOVES ? this.#frame : 0);
      });
    }
  }

  /** A new canvas and a new engine, with the last scene that worked, from its start. */
  restart(): void {
    this.#begin(this.#accepted ?? this.#asked, 0);
  }

  /** It has failed, and its engine cannot be had anew: a module is loaded once in a page. */
  get isSpent(): boolean {
    return this.#failed && this.#mainThread;
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
    this.#begunAt = frame;
    this.#takeUp(this.#ask, parameters, frame);
  }

  #takeUp(ask: number, parameters: Parameters, frame: number): void {
    this.#runner?.post({ kind: 'start', ask, parameters, playing: this.#playing, frame });
    const selected = this.#selected;
    // What the pointer rests on is found by pointing.
    const object = selected?.kept === true ? selected.object : null;
    if (selected !== null) this.#runner?.post({ kind: 'select', object });
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
      : this.#runInWorker(hear, () => {
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
    if (message.kind === 'start' || message.kind === 'change') this.#ask = message.ask;
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
    if (said.kind === 'started' || said.kind === 'changed') {
      this.#accepted = said.parameters;
      this.#begunAt = null;
      if (said.ask === OWN_ASK) return;
    }
    if (said.kind === 'selected') this.#selected = said.selection;
    if (said.kind === 'playing') this.#playing = said.playing;
    if (said.kind === 'frame') this.#frame = said.report.frame;
    if ('id' in said && said.kind !== 'picture') {
      if (said.kind === 'finished') this.#measuring.delete(said.id);
      if (this.#abandoned.has(said.id)) return;
    }
    this.#listener(said);
    if (said.kind === 'refused') this.#leaveRefused();
  }

  /** A new worker whose first scene was refused has none: it takes up the last that worked. */
  #leaveRefused(): void {
    const frame = this.#begunAt;
    this.#begunAt = null;
    if (frame !== null && this.#accepted !== null) this.#takeUp(OWN_ASK, this.#accepted, frame);
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
