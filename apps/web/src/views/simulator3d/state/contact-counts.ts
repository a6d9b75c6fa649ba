/**
 * Number of contacts per step, for the curve over the timeline.
 *
 * Stays valid while seeking back and forth. Holds at most `MOST` steps, however
 * long a world runs.
 */

/** Twice the resolution of a stage's width: above it, every second step is dropped. */
const MOST = 600;
/** Height in its own units; it is stretched to the timeline. */
export const HEIGHT = 100;

export class ContactCounts {
  readonly #known = new Map<number, number>();

  /** Another world. */
  clear(): void {
    this.#known.clear();
  }

  /** Steps after this one are no longer valid. */
  forgetAfter(step: number): void {
    for (const known of this.#known.keys()) if (known > step) this.#known.delete(known);
  }

  /** Number of contacts at this step; steps after `last` are unknown. */
  add(step: number, contacts: number, last: number): void {
    this.forgetAfter(last);
    this.#known.set(step, contacts);
    if (this.#known.size <= MOST) return;
    for (const [place, each] of this.#steps().entries()) if (place % 2 === 1 && each !== step) this.#known.delete(each);
  }

  /** The highest number, which the curve's height shows. */
  get max(): number {
    return Math.max(0, ...this.#known.values());
  }

  /** SVG path over steps 0 to `last`, 1 wide and `HEIGHT` high. */
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
