/**
 * How does the stage go to a step that is far away, and still listen?
 *
 * A slice at a time, between messages. Whoever says another step meanwhile is followed at once; what was meant before
 * is not gone to any more.
 */
import type { Going } from '../protocol.ts';
import type { Simulator } from './engine.ts';

/** Longer slices would be felt as a pause by whoever presses a key. */
const SLICE_MS = 24;
/** Told more often, numbers could not be read. */
const TOLD_MS = 200;

export interface Journey {
  simulator: Simulator;
  /** A step; none if the engine knows where it goes. */
  to: number | null;
  /** Opens a scene, moves in time, or takes a change back. */
  why: Going['why'];
  /** It is there, or was stopped on the way. */
  arrived: () => void;
  /** It cannot be gone to; without this nothing can go wrong but the engine. */
  refused?: (error: unknown) => void;
  /** Something else is done instead. */
  left: () => void;
}

export class Course {
  readonly #guarded: (call: () => void) => void;
  readonly #tell: (going: Going | null) => void;
  #journey: Journey | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #toldAt = 0;
  #isTold = false;

  constructor(guarded: (call: () => void) => void, tell: (going: Going | null) => void) {
    this.#guarded = guarded;
    this.#tell = tell;
  }

  get journey(): Journey | null {
    return this.#journey;
  }

  /** Sets off. `soon` waits for what else was asked already: of many steps in a row only the last is gone to. */
  begin(journey: Journey, when: 'now' | 'soon'): void {
    this.leave();
    this.#journey = journey;
    this.#toldAt = performance.now();
    if (when === 'now') this.#goOn();
    else this.#schedule();
  }

  /** Stays on the way: that is where it goes to now. */
  stop(): boolean {
    const journey = this.#end();
    if (journey === null) return false;
    journey.simulator.stay();
    journey.arrived();
    return true;
  }

  /** Something else is done instead. */
  leave(): void {
    const journey = this.#end();
    if (journey === null) return;
    journey.simulator.stay();
    journey.left();
  }

  #goOn(): void {
    const journey = this.#journey;
    if (journey === null) return;
    const { simulator, to } = journey;
    let isThere: boolean;
    try {
      if (to !== null && simulator.goal !== to) simulator.headFor(to);
      isThere = simulator.approach(SLICE_MS);
    } catch (error) {
      if (journey.refused === undefined) throw error;
      this.#end();
      journey.refused(error);
      return;
    }
    if (isThere) {
      this.#end();
      journey.arrived();
      return;
    }
    const now = performance.now();
    if (now > this.#toldAt + TOLD_MS) {
      this.#toldAt = now;
      this.#isTold = true;
      this.#tell({ at: simulator.at, to: simulator.goal ?? simulator.at, why: journey.why });
    }
    this.#schedule();
  }

  #schedule(): void {
    this.#timer = setTimeout(() => this.#guarded(() => this.#goOn()));
  }

  #end(): Journey | null {
    const journey = this.#journey;
    this.#journey = null;
    clearTimeout(this.#timer);
    if (this.#isTold) this.#tell(null);
    this.#isTold = false;
    return journey;
  }
}
