/**
 * How many pixels has the picture where each costs time?
 *
 * Without a GPU a stage waits until its picture is painted, and hears nobody meanwhile. So what plays slowly is drawn with
 * fewer pixels, and shows a change sooner; what rests is drawn with all of them.
 */

/** In pictures a second: whoever presses a key feels that they wait for the one that is being painted. */
const SLOW = 24;
/** As many would do with more pixels, too. */
const FAST = 50;
const COARSER = 0.8;
/** With fewer, bodies of a few pixels could not be told apart. */
const COARSEST = 0.6;

export class Fineness {
  #share = 1;

  /** Of the pixels along each side. */
  get share(): number {
    return this.#share;
  }

  /** So many pictures a second were made, 0 if nobody knows yet; or it rests. */
  pace(fps: number | 'rests'): void {
    if (fps === 'rests') this.#share = 1;
    else if (fps > FAST) this.#share = Math.min(1, this.#share / COARSER);
    else if (fps > 0 && fps < SLOW) this.#share = Math.max(COARSEST, this.#share * COARSER);
  }
}
