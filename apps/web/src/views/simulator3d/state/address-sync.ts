/**
 * Synchronizes the world on the stage with the page's address.
 *
 * An unedited preset is written as name, seed and step; any other world as its scene JSON. The JSON
 * is requested and compressed when the world has come to rest at a step. It is also used for a
 * preset whose step is too late to be simulated again.
 */
import { computed, type ReadonlySignal, signal } from '@preact/signals';

import { withThreadOption, linkTo, scheduleAddressWrite, cancelAddressWrite } from '../../../shared/address.ts';
import { afterPaint } from '../../../shared/throttle.ts';
import { isTooLarge, type LinkedComparison, packedScene, type Shown, write } from './address.ts';
import { storeScene, storedScene } from './scene-storage.ts';
import type { DisplayOptions, PresetSource, Saved, Whereabouts } from '../workers/protocol.ts';
import type { SavedScene } from '../workers/worker-requests.ts';

/** Delay, so that single-stepping requests no JSON. */
const REST_MS = 400;
/** Steps that the world may have advanced since its last report. */
const SINCE = 600;

interface LinkState {
  preset: ReadonlySignal<PresetSource | null>;
  /** Maximum step of a link. */
  mostSteps: ReadonlySignal<number>;
  display: ReadonlySignal<DisplayOptions>;
  speed: ReadonlySignal<number>;
  playing: ReadonlySignal<boolean>;
  comparison: ReadonlySignal<LinkedComparison | null>;
  save: (what: Saved) => Promise<SavedScene>;
}

export class InLink {
  readonly #linked: LinkState;
  /** The compressed JSON of an edited scene; null while it is unknown. */
  readonly #packed = signal<string | null>(null);
  readonly #where = signal<Whereabouts>({ step: 0, camera: null, selected: null });
  /** Step of the JSON; null without JSON. */
  #wordsOf: number | null = null;
  /** Session storage has the current scene, or the link holds it. */
  readonly #isStored = signal(true);
  /** Whether a reload restores the current scene. */
  readonly isRestorable = computed(() => this.#linked.preset.value !== null || this.#isStored.value);
  #packs = 0;
  #packing: Promise<void> = Promise.resolve();
  /** Storage key of the current scene, if it is too large for a link. */
  #storageKey: string | null = null;
  #rest: number | undefined;

  constructor(linked: LinkState) {
    this.#linked = linked;
  }

  /** Another world is shown, with this JSON. The scene of the previous one stays in the storage. */
  begin(text: string, step: number): void {
    this.#storageKey = null;
    this.#packed.value = null;
    this.know(text, step);
  }

  /** Updates the JSON. */
  know(text: string, step: number): void {
    this.#wordsOf = step;
    this.#packing = this.#pack(text);
    // Cancels a pending request for it.
    this.awaitRest();
  }

  /**
   * Returns a link to the current world, for the history entry it leaves; null if the world cannot
   * be restored. Must be called before the next world is known. `lastText` is its last JSON, used
   * if it can no longer be saved.
   */
  async leave(saving: Promise<SavedScene>, lastText: string): Promise<string | null> {
    const [instead, where] = [this.#storageKey, this.#where.value];
    const looks = this.#looks();
    const { text, whereabouts } = (await saving) ?? { text: lastText, whereabouts: where };
    const packed = await packedScene(text);
    if (isTooLarge(packed)) storeScene(packed, text, instead);
    // Whether session storage has space for both is known only when the next world is packed, too.
    for (let packing; packing !== this.#packing; await packing) packing = this.#packing;
    if (isTooLarge(packed) && storedScene(packed) === null) return null;
    return linkTo(withThreadOption(write(null, packed, { ...whereabouts, ...looks })));
  }

  /** Updates the current step. */
  follow(where: Whereabouts): void {
    if (JSON.stringify(where) !== JSON.stringify(this.#where.value)) this.#where.value = where;
    this.awaitRest();
  }

  /** Called whenever an input changes: pausing counts, though no step follows. */
  awaitRest(): void {
    window.clearTimeout(this.#rest);
    const [where, preset, playing] = [this.#where.value, this.#preset.value, this.#linked.playing.value];
    if (!playing && preset === null && this.#wordsOf !== null && where.step !== this.#wordsOf) {
      this.#rest = window.setTimeout(() => void this.#request(), REST_MS);
    }
  }

  close(): void {
    window.clearTimeout(this.#rest);
    this.#packs += 1;
  }

  /** Called whenever an input changes. */
  write(): void {
    const [preset, packed, shown] = [this.#preset.value, this.#packed.value, this.#shown.value];
    if (preset !== null || packed !== null) {
      scheduleAddressWrite(() => withThreadOption(write(preset, preset === null ? packed : null, shown)));
    } else {
      cancelAddressWrite();
    }
  }

  /** A link to the current world; null if no link can hold it. */
  async now(): Promise<string | null> {
    const isLate = this.#where.value.step + SINCE > this.#linked.mostSteps.value;
    const preset = isLate ? null : this.#linked.preset.value;
    const saved = await this.#linked.save(preset === null ? 'scene' : 'whereabouts');
    if (saved === null) return null;
    const packed = preset === null ? await packedScene(saved.text) : null;
    if (packed !== null && isTooLarge(packed)) return null;
    return linkTo(write(preset, packed, { ...saved.whereabouts, ...this.#looks() }));
  }

  readonly #shown = computed((): Shown => {
    // While playing, the address would change continuously; a reload starts from the beginning.
    const where = this.#linked.playing.value ? { ...this.#where.value, step: 0 } : this.#where.value;
    return { ...where, ...this.#looks() };
  });

  #looks(): Pick<Shown, 'display' | 'speed' | 'comparison'> {
    const { display, speed, comparison } = this.#linked;
    return { display: display.value, speed: speed.value, comparison: comparison.value };
  }

  /** The preset that the link names, if any. */
  readonly #preset = computed((): PresetSource | null => (this.#shown.value.step > this.#linked.mostSteps.value ? null : this.#linked.preset.value));

  async #request(): Promise<void> {
    const saved = await this.#linked.save('scene');
    if (saved !== null && this.#preset.value === null) this.know(saved.text, saved.whereabouts.step);
  }

  async #pack(text: string): Promise<void> {
    this.#packs += 1;
    const own = this.#packs;
    // For a thousand bodies this takes longer than showing an edit.
    await afterPaint();
    if (own !== this.#packs) return;
    // A preset needs no JSON.
    const packed = this.#preset.value === null ? await packedScene(text) : null;
    if (own !== this.#packs) return;
    let isStored = true;
    if (packed !== null && isTooLarge(packed)) {
      isStored = storeScene(packed, text, this.#storageKey);
      this.#storageKey = packed;
    }
    this.#isStored.value = isStored;
    this.#packed.value = packed;
  }
}
