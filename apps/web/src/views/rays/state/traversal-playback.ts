/**
 * Playback of a traversal, box by box.
 *
 * Step 0 precedes the first box, the last step is the result. Playback takes a few seconds whatever
 * the number of steps.
 */
import { computed, signal } from '@preact/signals';

import { VISIT, type Traversal } from '../workers/protocol.ts';

const SLOWEST_MS = 420;
const FASTEST_MS = 40;
/** Duration of a whole playback. */
const ALL_MS = 9000;

export class TraversalPlayback {
  readonly traversal = signal<Traversal | null>(null);
  readonly step = signal(0);
  readonly playing = signal(false);
  readonly count = computed(() => (this.traversal.value?.rows.length ?? 0) / VISIT.size);
  /** Number of tests before each visit, and in total. */
  readonly #testedBefore = computed(() => {
    const rows = this.traversal.value?.rows ?? new Float32Array();
    const sums = [0];
    for (let at = VISIT.tests; at < rows.length; at += VISIT.size) sums.push(sums.at(-1)! + rows[at]!);
    return sums;
  });
  #timer: number | undefined;
  readonly #stepped: (step: number) => void;

  constructor(stepped: (step: number) => void) {
    this.#stepped = stepped;
  }

  /** Replaces the traversal; shows its last step by default. */
  take(traversal: Traversal | null, step: number | null): void {
    this.pause();
    this.traversal.value = traversal;
    this.step.value = Math.min(step ?? this.count.value, this.count.value);
  }

  toggle(): void {
    if (this.playing.value) {
      this.pause();
      return;
    }
    // Restarts from the end.
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

  /** Corners of the boxes visited so far, the current one last. */
  visited(): Float32Array {
    const rows = this.traversal.value?.rows ?? new Float32Array();
    const step = this.step.value;
    const boxes = new Float32Array(6 * step);
    for (let visit = 0; visit < step; visit += 1) boxes.set(rows.subarray(visit * VISIT.size, visit * VISIT.size + 6), 6 * visit);
    return boxes;
  }

  /** Triangles tested in the current step. */
  tested(): Uint32Array {
    const [traversal, step] = [this.traversal.value, this.step.value];
    if (traversal === null || step === 0) return new Uint32Array();
    return traversal.tested.subarray(this.#testedBefore.value[step - 1], this.#testedBefore.value[step]);
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
