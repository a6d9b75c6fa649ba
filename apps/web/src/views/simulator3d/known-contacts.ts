/**
 * When were there many contacts? Every step that was told, as far as it still is what comes or came.
 *
 * It stays while one goes back and forth. Promise: it never holds more than `MOST` steps, however long a world runs.
 */

/** Twice what can be told apart on a stage's width: when there are more, every second one goes. */
const MOST = 600;
/** In its own measure; it is stretched to the width of the timeline. */
export const HEIGHT = 100;

export class KnownContacts {
  readonly #known = new Map<number, number>();

  /** Another world. */
  clear(): void {
    this.#known.clear();
  }

  /** What came after this step is not to come, or not so. */
  forgetAfter(step: number): void {
    for (const known of this.#known.keys()) if (known > step) this.#known.delete(known);
  }

  /** So many contacts at this step; none is known after the last one. */
  add(step: number, contacts: number, last: number): void {
    this.forgetAfter(last);
    this.#known.set(step, contacts);
    if (this.#known.size <= MOST) return;
    for (const [place, each] of this.#steps().entries()) if (place % 2 === 1 && each !== step) this.#known.delete(each);
  }

  /** An SVG path over steps 0 to `last`, 1 wide and `HEIGHT` high. */
  path(last: number): string {
    const steps = this.#steps();
    const end = Math.max(1, last);
    const most = Math.max(1, ...this.#known.values());
    const across = (step: number): string => (step / end).toFixed(4);
    const heights = steps.map((step) => `${across(step)} ${(HEIGHT * (1 - (this.#known.get(step) ?? 0) / most)).toFixed(1)}`);
    return steps.length === 0 ? '' : `M0 ${HEIGHT}L${heights.join('L')}L${across(steps.at(-1) ?? 0)} ${HEIGHT}Z`;
  }

  #steps(): number[] {
    return [...this.#known.keys()].sort((one, other) => one - other);
  }
}
