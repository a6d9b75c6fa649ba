/**
 * How is a ray followed from box to box?
 *
 * Step 0 is before the first, the last step is the answer. Played, it takes a few seconds whatever there is to see, and
 * never so fast that one could not follow it where that is possible.
 */
import { computed, signal } from '@preact/signals';

import { VISIT, type Walk } from './protocol.ts';

const SLOWEST_MS = 420;
const FASTEST_MS = 40;
/** A whole walk, however long. */
const ALL_MS = 9000;

export class Walked {
  readonly walk = signal<Walk | null>(null);
  readonly step = signal(0);
  readonly playing = signal(false);
  readonly count = computed(() => (this.walk.value?.rows.length ?? 0) / VISIT.size);
  /** How many triangles were tested before each visit, and in the end. */
  readonly #testedBefore = computed(() => {
    const rows = this.walk.value?.rows ?? new Float32Array();
    const sums = [0];
    for (let at = VISIT.tests; at < rows.length; at += VISIT.size) sums.push(sums.at(-1)! + rows[at]!);
    return sums;
  });
  #timer: number | undefined;
  readonly #stepped: (step: number) => void;

  constructor(stepped: (step: number) => void) {
    this.#stepped = stepped;
  }

  /** Another walk, shown to its end unless told. */
  take(walk: Walk | null, step: number | null): void {
    this.pause();
    this.walk.value = walk;
    this.step.value = Math.min(step ?? this.count.value, this.count.value);
  }

  toggle(): void {
    if (this.playing.value) {
      this.pause();
      return;
    }
    // From the end it begins anew.
    if (this.step.value >= this.count.value) this.step.value = 0;
    this.playing.value = true;
    this.#schedule();
  }

  pause(): void {
    window.clearTimeout(this.#timer);
    this.playing.value = false;
  }

  go(step: number): void {
    this.pause();
    this.step.value = Math.min(this.count.value, Math.max(0, step));
    this.#stepped(this.step.value);
  }

  /** Corners of the boxes that were visited so far, the present one last. */
  visited(): Float32Array {
    const rows = this.walk.value?.rows ?? new Float32Array();
    const step = this.step.value;
    const boxes = new Float32Array(6 * step);
    for (let visit = 0; visit < step; visit += 1) boxes.set(rows.subarray(visit * VISIT.size, visit * VISIT.size + 6), 6 * visit);
    return boxes;
  }

  /** Triangles that are tested at the present step. */
  tested(): Uint32Array {
    const [walk, step] = [this.walk.value, this.step.value];
    if (walk === null || step === 0) return new Uint32Array();
    return walk.tested.subarray(this.#testedBefore.value[step - 1], this.#testedBefore.value[step]);
  }

  testedSoFar(): number {
    return this.#testedBefore.value[this.step.value] ?? 0;
  }

  #schedule(): void {
    const pace = ALL_MS / Math.max(1, this.count.value);
    const by = Math.max(1, Math.round(FASTEST_MS / pace));
    this.#timer = window.setTimeout(() => {
      this.step.value = Math.min(this.count.value, this.step.value + by);
      this.#stepped(this.step.value);
      if (this.step.value >= this.count.value) this.playing.value = false;
      else this.#schedule();
    }, Math.min(SLOWEST_MS, Math.max(FASTEST_MS, pace)));
  }
}
