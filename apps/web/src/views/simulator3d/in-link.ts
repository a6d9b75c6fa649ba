/**
 * What does the address say of the world on the stage?
 *
 * A preset that nothing was done to is its name, its seed and its step; any other world is its words as it stands.
 * Words are asked for and packed when it has come to rest at a step: a link is written for what is looked at. So is a preset
 * whose step is so late that nobody would go there again.
 */
import { computed, type ReadonlySignal, signal } from '@preact/signals';

import { keepingThread, linkTo, writeAddress, writeNothing } from '../../shared/address.ts';
import { afterwards } from '../../shared/pace.ts';
import { isTooLarge, packedScene, type Shown, write } from './address.ts';
import { keep, kept } from './kept.ts';
import type { Looks, Saved, Whereabouts } from './protocol.ts';
import type { Kept } from './questions.ts';

/** Whoever steps on and on waits for no words. */
const REST_MS = 400;
/** Steps that a world may have gone on since it was last told where it is. */
const SINCE = 600;

export type Preset = { preset: string; seed: number };

interface Linked {
  preset: ReadonlySignal<Preset | null>;
  /** Later ones are gone to by no link. */
  mostSteps: ReadonlySignal<number>;
  looks: ReadonlySignal<Looks>;
  speed: ReadonlySignal<number>;
  playing: ReadonlySignal<boolean>;
  save: (what: Saved) => Promise<Kept>;
}

export class InLink {
  readonly #linked: Linked;
  /** The words of a scene of one's own, packed; none while they are unknown. */
  readonly #packed = signal<string | null>(null);
  readonly #where = signal<Whereabouts>({ step: 0, camera: null, selected: null });
  /** Where the world stood that the words are of; nowhere while there is none. */
  #wordsOf: number | null = null;
  #packs = 0;
  #packing: Promise<void> = Promise.resolve();
  /** What the tab keeps for the address as it is, if no link can hold it. */
  #keptAs: string | null = null;
  #rest: number | undefined;

  constructor(linked: Linked) {
    this.#linked = linked;
  }

  /** Another world is shown, and these are its words. What is kept of the one before stays. */
  begin(text: string, step: number): void {
    this.#keptAs = null;
    this.#packed.value = null;
    this.know(text, step);
  }

  /** These are its words now. */
  know(text: string, step: number): void {
    this.#wordsOf = step;
    this.#packing = this.#pack(text);
    // Whoever waited for them need not ask.
    this.awaitRest();
  }

  /**
   * A link to the world that another takes the place of, when that one has its own; none if it could not be gone back to. To be
   * called before the other is known. `told` are the words that it last had, for when it can save itself no more.
   */
  async leave(saving: Promise<Kept>, told: string): Promise<string | null> {
    const [instead, where, looks, speed] = [this.#keptAs, this.#where.value, this.#linked.looks.value, this.#linked.speed.value];
    const { text, whereabouts } = (await saving) ?? { text: told, whereabouts: where };
    const packed = await packedScene(text);
    if (isTooLarge(packed)) keep(packed, text, instead);
    // Only when the other has its words, too, it is known whether the tab has room for both.
    for (let packing; packing !== this.#packing; await packing) packing = this.#packing;
    if (isTooLarge(packed) && kept(packed) === null) return null;
    return linkTo(keepingThread(write(null, packed, { ...whereabouts, looks, speed })));
  }

  /** This is where it stands now. */
  follow(where: Whereabouts): void {
    if (JSON.stringify(where) !== JSON.stringify(this.#where.value)) this.#where.value = where;
    this.awaitRest();
  }

  /** To be called whenever something of it changes: that it was paused is a change, though no step follows. */
  awaitRest(): void {
    window.clearTimeout(this.#rest);
    const [where, preset, playing] = [this.#where.value, this.#preset.value, this.#linked.playing.value];
    if (!playing && preset === null && this.#wordsOf !== null && where.step !== this.#wordsOf) {
      this.#rest = window.setTimeout(() => void this.#ask(), REST_MS);
    }
  }

  close(): void {
    window.clearTimeout(this.#rest);
    this.#packs += 1;
  }

  /** To be called whenever something of it changes. */
  write(): void {
    const [preset, packed, shown] = [this.#preset.value, this.#packed.value, this.#shown.value];
    if (preset !== null || packed !== null) {
      writeAddress(() => keepingThread(write(preset, preset === null ? packed : null, shown)));
    } else {
      writeNothing();
    }
  }

  /** A link to the world as it is this moment; none if no link can hold it. */
  async now(): Promise<string | null> {
    const isLate = this.#where.value.step + SINCE > this.#linked.mostSteps.value;
    const preset = isLate ? null : this.#linked.preset.value;
    const saved = await this.#linked.save(preset === null ? 'scene' : 'whereabouts');
    if (saved === null) return null;
    const packed = preset === null ? await packedScene(saved.text) : null;
    if (packed !== null && isTooLarge(packed)) return null;
    return linkTo(write(preset, packed, { ...saved.whereabouts, looks: this.#linked.looks.value, speed: this.#linked.speed.value }));
  }

  readonly #shown = computed((): Shown => {
    const { looks, speed, playing } = this.#linked;
    // While it plays the address would change without end; a reload begins where it began.
    const where = playing.value ? { ...this.#where.value, step: 0 } : this.#where.value;
    return { ...where, looks: looks.value, speed: speed.value };
  });

  /** As which preset it is linked to, if as one. */
  readonly #preset = computed((): Preset | null => (this.#shown.value.step > this.#linked.mostSteps.value ? null : this.#linked.preset.value));

  async #ask(): Promise<void> {
    const saved = await this.#linked.save('scene');
    if (saved !== null && this.#preset.value === null) this.know(saved.text, saved.whereabouts.step);
  }

  async #pack(text: string): Promise<void> {
    this.#packs += 1;
    const own = this.#packs;
    // Of a thousand bodies it takes longer than to show what was done to them.
    await afterwards();
    if (own !== this.#packs) return;
    // A preset needs no words.
    const packed = this.#preset.value === null ? await packedScene(text) : null;
    if (own !== this.#packs) return;
    if (packed !== null && isTooLarge(packed)) {
      keep(packed, text, this.#keptAs);
      this.#keptAs = packed;
    }
    this.#packed.value = packed;
  }
}
