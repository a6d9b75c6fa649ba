/**
 * How many pixels has the picture where each costs time?
 *
 * Without a GPU a stage waits until its picture is painted, and hears nobody meanwhile. So what plays slowly is drawn with
 * fewer pixels, and shows a change sooner; what rests is drawn with all of them. Each change is judged before the next.
 */

/** In pictures a second: whoever presses a key feels that they wait for the one that is being painted. */
const SLOW = 24;
/** What is slow is made as coarse as gives so many: half a picture more of waiting is felt. Too few to get finer again by. */
const ENOUGH = 40;
/** With more pixels it would still make as many; the rest is for what the pixels do not cost. */
const AMPLE = 32;
/** Less of a change would not be worth the new picture. */
const COARSER = 0.8;
/** With fewer, bodies of a few pixels could not be told apart. */
const COARSEST = 0.6;
/** Pictures a second are a mean over so long: before, it is also of pictures of another size. */
const MEAN_MS = 1000;

export class Fineness {
  #share = 1;
  #judgesFrom = 0;
  #finerFrom = 0;
  /** How long it stays coarser: twice as long each time that finer pictures were slow again. */
  #patience = MEAN_MS;
  #gotFiner = false;

  /** Of the pixels along each side. */
  get share(): number {
    return this.#share;
  }

  /** So many pictures a second were made until `now`, in ms, 0 if nobody knows yet. */
  pace(fps: number, now: number): void {
    if (fps === 0 || now < this.#judgesFrom) return;
    if (fps < SLOW) this.#coarsen(fps, now);
    else if (now >= this.#finerFrom) this.#refine(fps, now);
  }

  rest(): void {
    this.#share = 1;
    this.#judgesFrom = 0;
    this.#finerFrom = 0;
    this.#patience = MEAN_MS;
    this.#gotFiner = false;
  }

  /** At once to where it should be fast enough, if its pixels are what it costs. */
  #coarsen(fps: number, now: number): void {
    const enough = this.#share * Math.min(COARSER, Math.sqrt(fps / ENOUGH));
    this.#change(Math.max(COARSEST, enough), now);
    if (this.#gotFiner) this.#patience *= 2;
    this.#gotFiner = false;
    this.#finerFrom = now + this.#patience;
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
    this.#judgesFrom = now + MEAN_MS;
  }
}
