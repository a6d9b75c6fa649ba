/**
 * How does the page hold a stage?
 *
 * The host carries messages to a worker; where the browser has none that can draw, the same stage runs
 * on the page's own thread. Promises: a stage that dies says `failed`, once, and comes back as it was.
 * One that is deep in a long frame (brute force over 200,000 objects takes half a minute) makes nobody
 * wait who wants something else: it is replaced, and the new one is told all that the old one knew.
 * What a new one refuses leaves the scene before running, as it does with an old one.
 */

import type { FromPage, FromWorker, Parameters } from '../protocol.ts';
import type { Raise, Thread } from './raise.ts';
import type { Runner, Said } from './runners.ts';

/** After this a cancelled measurement counts as over, though its worker still ends a frame. */
const CANCEL_PATIENCE_MS = 80;
/** After this a worker that does not hear is replaced: people take longer pauses for a fault. */
const DEAF_PATIENCE_MS = 1500;
/** So many objects are moved in about a second: a world that is farther on begins anew. */
const MOST_MOVES = 1e8;

/** The number of what the host asks by itself; the page's are greater. */
const OWN_ASK = 0;

type Question = Extract<FromPage, { kind: 'start' | 'change' }>;

export class StageHost {
  readonly #raise: Raise;
  readonly #listener: (said: FromWorker) => void;
  #thread: Thread;
  #runner: Runner | null = null;

  /** What a new worker must be told to be as the old one was. */
  #theme: FromPage | null = null;
  #overlays: FromPage | null = null;
  #accepted: Parameters | null = null;
  #frame = 0;
  #playing = false;
  /** The object that is kept selected. */
  #kept: number | null = null;

  /** The last question, until it is answered. */
  #question: Question | null = null;
  /** The worker has a scene: what it refuses leaves that one running. */
  #hasScene = false;
  #ready = false;
  #failed = false;
  #deafness: ReturnType<typeof setTimeout> | undefined;
  readonly #measuring = new Set<number>();
  /** Measurements that the page was told are over while the worker still ends its frame. */
  readonly #abandoned = new Set<number>();

  constructor(raise: Raise, thread: Thread, listener: (said: FromWorker) => void) {
    this.#raise = raise;
    this.#thread = thread;
    this.#listener = listener;
    this.#raiseAnew();
  }

  /** A stage that has failed hears nothing but a question, which brings it back with that scene. */
  send(message: FromPage): void {
    this.#remember(message);
    if (message.kind === 'start' || message.kind === 'change') {
      this.#question = message;
      if (this.#failed) {
        this.#replace();
      } else {
        this.#ask(message);
        this.#replaceIfDeaf();
      }
      return;
    }
    this.#runner?.post(message);
    if (message.kind === 'cancel') this.#answerCancelSoon(message.id);
  }

  /** A new stage with the last scene that worked, from its start. */
  restart(): void {
    this.#question = null;
    this.#frame = 0;
    this.#replace();
  }

  /** It has failed, and its engine cannot be had anew: the page's own thread loads a module once. */
  get isSpent(): boolean {
    return this.#failed && this.#thread === 'page';
  }

  dispose(): void {
    clearTimeout(this.#deafness);
    this.#runner?.close();
    this.#runner = null;
  }

  #raiseAnew(): void {
    this.dispose();
    this.#ready = false;
    this.#failed = false;
    this.#hasScene = false;
    this.#measuring.clear();
    this.#abandoned.clear();
    const unable = (): void => {
      this.#thread = 'page';
      this.#replace();
    };
    this.#runner = this.#raise(this.#thread, (said) => this.#hear(said), unable);
  }

  #replace(): void {
    const unfinished = [...this.#measuring].filter((id) => !this.#abandoned.has(id));
    this.#raiseAnew();
    for (const id of unfinished) this.#listener({ kind: 'finished', id, cancelled: true });
    for (const message of [this.#theme, this.#overlays]) {
      if (message !== null) this.#runner?.post(message);
    }
    // Not the last scene first: that may be the one whose frames are so long.
    if (this.#question === null) this.#takeUpAccepted();
    else this.#ask(this.#question);
  }

  #ask(question: Question): void {
    if (this.#hasScene || this.#accepted === null) {
      this.#runner?.post(question);
    } else if (question.kind === 'start') {
      this.#runner?.post({ selected: this.#kept, ...question });
    } else {
      const { ask, technique, cellSize } = question;
      this.#takeUp(ask, { ...this.#accepted, technique, cellSize });
    }
  }

  #takeUpAccepted(): void {
    if (this.#accepted !== null) this.#takeUp(OWN_ASK, this.#accepted);
  }

  /** The scene goes on where it was, unless to go there would itself take long. */
  #takeUp(ask: number, parameters: Parameters): void {
    const isNear = this.#frame * parameters.objects <= MOST_MOVES;
    if (!isNear) this.#listener({ kind: 'anew' });
    const frame = isNear ? this.#frame : 0;
    this.#runner?.post({ kind: 'start', ask, parameters, playing: this.#playing, selected: this.#kept, frame });
  }

  #remember(message: FromPage): void {
    if (message.kind === 'theme') this.#theme = message;
    if (message.kind === 'overlays') this.#overlays = message;
    if (message.kind === 'play' || message.kind === 'pause') this.#playing = message.kind === 'play';
    if (message.kind === 'select') this.#kept = message.object;
    if (message.kind === 'measure') this.#measuring.add(message.id);
    if (message.kind === 'start') {
      this.#playing = message.playing;
      if (message.selected !== undefined) this.#kept = message.selected;
    }
  }

  #hear(said: Said): void {
    if (this.#failed) return;
    switch (said.kind) {
      case 'heard':
        if (said.ask === this.#question?.ask) clearTimeout(this.#deafness);
        return;
      case 'failed':
        // Nothing that was not answered will be.
        this.#failed = true;
        this.#question = null;
        clearTimeout(this.#deafness);
        break;
      case 'ready':
        this.#ready = true;
        break;
      case 'started':
      case 'changed':
        this.#accepted = said.parameters;
        this.#hasScene = true;
        this.#settle(said.ask);
        break;
      case 'refused':
        this.#settle(said.ask);
        if (!this.#hasScene && this.#question === null) this.#takeUpAccepted();
        break;
      case 'playing':
        this.#playing = said.playing;
        break;
      case 'frame':
        this.#frame = said.report.frame;
        break;
      case 'selected':
        this.#kept = said.selection?.kept === true ? said.selection.object : null;
        break;
      case 'finished':
        this.#measuring.delete(said.id);
        break;
      default:
    }
    if ('id' in said && this.#abandoned.has(said.id)) return;
    this.#listener(said);
  }

  #settle(ask: number): void {
    if (ask !== this.#question?.ask) return;
    this.#question = null;
    clearTimeout(this.#deafness);
  }

  #answerCancelSoon(id: number): void {
    setTimeout(() => {
      if (!this.#measuring.has(id) || this.#failed || this.#abandoned.has(id)) return;
      this.#abandoned.add(id);
      this.#listener({ kind: 'finished', id, cancelled: true });
    }, CANCEL_PATIENCE_MS);
  }

  #replaceIfDeaf(): void {
    clearTimeout(this.#deafness);
    // One that is still being fetched is not deaf, and there is none on this thread.
    if (!this.#ready || this.#thread === 'page') return;
    this.#deafness = setTimeout(() => this.#replace(), DEAF_PATIENCE_MS);
  }
}
