/**
 * What must a new stage be told to be as the old one was?
 *
 * Promises: a stage that dies says `failed`, once, and comes back as it was. One that is deep in a long frame (brute
 * force over 200,000 objects takes half a minute) is replaced by one that is told all that the old one knew. What a
 * new one refuses leaves the scene before running, as it does with an old one.
 */

import type { FromPage, FromWorker, Parameters } from '../protocol.ts';
import { Hold } from '../../../shared/stage/hold.ts';
import type { Raise, Thread } from '../../../shared/stage/raise.ts';
import type { Said } from './begins.ts';

/** After this a cancelled measurement counts as over, though its worker still ends a frame. */
const CANCEL_PATIENCE_MS = 80;
/** So many objects are moved in about a second: a world that is farther on begins anew. */
const MOST_MOVES = 1e8;

/** The number of what the host asks by itself; the page's are greater. */
const OWN_ASK = 0;

type Question = Extract<FromPage, { kind: 'start' | 'change' }>;

export class StageHost {
  readonly #hold: Hold<FromPage, Said>;
  readonly #listener: (said: FromWorker) => void;

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
  readonly #measuring = new Set<number>();
  /** Measurements that the page was told are over while the worker still ends its frame. */
  readonly #abandoned = new Set<number>();

  constructor(raise: Raise<FromPage, Said>, thread: Thread, listener: (said: FromWorker) => void) {
    this.#listener = listener;
    this.#hold = new Hold<FromPage, Said>(raise, thread, { hear: (said) => this.#hear(said), replace: () => this.#replace() });
    this.#raiseAnew();
  }

  /** A stage that has failed hears nothing but a question, which brings it back with that scene. */
  send(message: FromPage): void {
    this.#remember(message);
    if (message.kind === 'start' || message.kind === 'change') {
      this.#question = message;
      if (this.#hold.hasFailed) {
        this.#replace();
      } else {
        this.#ask(message);
        this.#hold.expectToBeHeard();
      }
      return;
    }
    this.#hold.post(message);
    if (message.kind === 'cancel') this.#answerCancelSoon(message.id);
  }

  /** A new stage with the last scene that worked, from its start. */
  restart(): void {
    this.#question = null;
    this.#frame = 0;
    this.#replace();
  }

  get isSpent(): boolean {
    return this.#hold.isSpent;
  }

  dispose(): void {
    this.#hold.dispose();
  }

  #raiseAnew(): void {
    this.#hasScene = false;
    this.#measuring.clear();
    this.#abandoned.clear();
    this.#hold.raise();
  }

  #replace(): void {
    const unfinished = [...this.#measuring].filter((id) => !this.#abandoned.has(id));
    this.#raiseAnew();
    for (const id of unfinished) this.#listener({ kind: 'finished', id, cancelled: true });
    for (const message of [this.#theme, this.#overlays]) {
      if (message !== null) this.#hold.post(message);
    }
    // Not the last scene first: that may be the one whose frames are so long.
    if (this.#question === null) this.#takeUpAccepted();
    else this.#ask(this.#question);
  }

  #ask(question: Question): void {
    if (this.#hasScene || this.#accepted === null) {
      this.#hold.post(question);
    } else if (question.kind === 'start') {
      this.#hold.post({ selected: this.#kept, ...question });
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
    this.#hold.post({ kind: 'start', ask, parameters, playing: this.#playing, selected: this.#kept, frame });
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
    switch (said.kind) {
      case 'heard':
        if (said.ask === this.#question?.ask) this.#hold.wasHeard();
        return;
      case 'failed':
        // Nothing that was not answered will be.
        this.#question = null;
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
    this.#hold.wasHeard();
  }

  #answerCancelSoon(id: number): void {
    setTimeout(() => {
      if (!this.#measuring.has(id) || this.#hold.hasFailed || this.#abandoned.has(id)) return;
      this.#abandoned.add(id);
      this.#listener({ kind: 'finished', id, cancelled: true });
    }, CANCEL_PATIENCE_MS);
  }
}
