/**
 * What must a new stage be told to be as the old one was?
 *
 * The theme, what is drawn, the speed, and the world as it was last told: a preset that nothing was done to from its
 * beginning, any other by its words. A scene that was refused is none of that.
 */
import { Hold } from '../../../shared/stage/hold.ts';
import type { Raise, Thread } from '../../../shared/stage/raise.ts';
import type { Failed } from '../../../shared/stage/runners.ts';
import type { FromPage, FromWorker, Source, WorldTold } from '../protocol.ts';

/** The number of what the host asks by itself; the page's are greater. */
const OWN_ASK = 0;

type Opening = Extract<FromPage, { kind: 'open' }>;

export class StageHost {
  readonly #hold: Hold<FromPage, FromWorker>;
  readonly #listener: (said: FromWorker) => void;
  readonly #kept = new Map<'theme' | 'looks' | 'speed', FromPage>();
  /** The world as it was last told. */
  #scene: Source | null = null;
  #world: WorldTold | null = null;
  /** What is being opened. */
  #opening: Opening | null = null;
  /** The presets that were asked for, by question. */
  readonly #presets = new Map<number, Source>();
  /** The preset that the world began as. */
  #preset: Source | null = null;
  /** The question that is to be heard. */
  #asked = OWN_ASK;

  constructor(raise: Raise<FromPage, FromWorker>, thread: Thread, listener: (said: FromWorker) => void) {
    this.#listener = listener;
    this.#hold = new Hold(raise, thread, { hear: (said) => this.#hear(said), replace: () => this.#replace() });
    this.#begin();
  }

  send(message: FromPage): void {
    if (message.kind === 'theme' || message.kind === 'looks' || message.kind === 'speed') {
      this.#kept.set(message.kind, message);
    }
    if (message.kind === 'open') {
      this.#opening = message;
      if ('preset' in message.scene) this.#presets.set(message.ask, message.scene);
      // A stage that has failed hears nothing any more.
      if (this.#hold.hasFailed) {
        this.#replace();
        return;
      }
    }
    // What stops what takes long ends its opening, too.
    if (message.kind === 'stop') this.#opening = null;
    if (this.#hold.hasFailed) return;
    this.#hold.post(message);
    if (message.kind === 'open' || message.kind === 'stop') {
      this.#asked = message.ask;
      this.#hold.expectToBeHeard();
    }
  }

  get isSpent(): boolean {
    return this.#hold.isSpent;
  }

  /** A new stage with the world as it was last told. */
  restart(): void {
    this.#opening = null;
    this.#replace();
  }

  dispose(): void {
    this.#hold.dispose();
  }

  #begin(): void {
    this.#hold.raise();
    for (const message of this.#kept.values()) this.#hold.post(message);
  }

  #replace(): void {
    this.#begin();
    if (this.#opening !== null) this.#hold.post(this.#opening);
    else if (this.#scene !== null) this.#hold.post({ kind: 'open', ask: OWN_ASK, scene: this.#scene, playing: false });
  }

  #hear(said: FromWorker | Failed): void {
    switch (said.kind) {
      case 'heard':
        if (said.ask === this.#asked) this.#hold.wasHeard();
        return;
      case 'failed':
        // Nothing that was not answered will be.
        this.#opening = null;
        break;
      case 'refused':
        if (said.ask === this.#opening?.ask) this.#opening = null;
        break;
      case 'opened':
        if (said.ask === this.#opening?.ask) this.#opening = null;
        // Asked for by the host itself, it is what was told last.
        this.#preset = said.ask === OWN_ASK ? presetOf(this.#scene) : (this.#presets.get(said.ask) ?? null);
        this.#presets.delete(said.ask);
        this.#world = said.world;
        this.#keep(said.text);
        break;
      case 'world':
      case 'edited':
        this.#world = said.world ?? this.#world;
        break;
      case 'words':
        this.#keep(said.text);
        break;
      default:
    }
    this.#listener(said);
  }

  #keep(text: string): void {
    const isPreset = this.#world?.isAsOpened === true && this.#preset !== null;
    this.#scene = isPreset ? this.#preset : { text, name: this.#world?.rules.name ?? 'scene' };
  }
}

function presetOf(source: Source | null): Source | null {
  return source !== null && 'preset' in source ? source : null;
}
