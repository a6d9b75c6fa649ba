/**
 * Dynamic resolution scale of software rendering.
 *
 * Without a GPU a stage blocks until its picture is painted, and processes no messages meanwhile.
 * Slow playback is therefore rendered at a lower resolution, which also shortens the response time;
 * a scene at rest is rendered at full resolution. Each change is evaluated before the next.
 */

/** Frames per second below which the response time of keys is noticeable. */
const SLOW = 24;
/**
 * Target frame rate when reducing the resolution, above the limit by half a picture of response
 * time; too low to increase the resolution again.
 */
const ENOUGH = 40;
/**
 * Frame rate that must be sustained at the higher resolution, allowing for costs that do not depend
 * on pixels.
 */
const AMPLE = 32;
/** Smaller changes are not worth a new drawing buffer. */
const COARSER = 0.8;
/** Minimum scale: below it, bodies of a few pixels become indistinguishable. */
const COARSEST = 0.6;
/** The frame rate is averaged over this time: until then it includes pictures of another size. */
const MEAN_MS = 1000;

export class ResolutionScale {
  #share = 1;
  #measuresFrom = 0;
  #finerFrom = 0;
  /** Minimum time at a reduced resolution, doubled each time a higher resolution was slow again. */
  #busyIndicator = MEAN_MS;
  #gotFiner = false;

  /** Along each side. */
  get share(): number {
    return this.#share;
  }

  /** Frame rate up to `now` in ms; 0 if it is unknown. */
  pace(fps: number, now: number): void {
    if (fps === 0 || now < this.#measuresFrom) return;
    if (fps < SLOW) this.#coarsen(fps, now);
    else if (now >= this.#finerFrom) this.#refine(fps, now);
  }

  rest(): void {
    this.#share = 1;
    this.#measuresFrom = 0;
    this.#finerFrom = 0;
    this.#busyIndicator = MEAN_MS;
    this.#gotFiner = false;
  }

  /** Directly to the scale that should be fast enough, if the cost is proportional to pixels. */
  #coarsen(fps: number, now: number): void {
    const enough = this.#share * Math.min(COARSER, Math.sqrt(fps / ENOUGH));
    this.#change(Math.max(COARSEST, enough), now);
    if (this.#gotFiner) this.#busyIndicator *= 2;
    this.#gotFiner = false;
    this.#finerFrom = now + this.#busyIndicator;
  }

  #refine(fps: number, now: number): void {
    const finer = Math.min(1, this.#share / COARSER);
    if (finer === this.#share || fps * (this.#share / finer) ** 2 < AMPLE) return;
    this.#change(finer, now);
    this.#gotFiner = true;
  }

  #change(share: number, now: number): void {
    if (share === this.#share) return;
    this.#share = share;
    this.#measuresFrom = now + MEAN_MS;
  }
}
