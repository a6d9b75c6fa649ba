/**
 * Seek to a distant step in slices, between which messages are processed.
 *
 * A new seek replaces the current one at once.
 */
import type { SeekProgress } from './protocol.ts';
import type { Simulator } from './engine.ts';

/** Longer slices would delay the response to keys noticeably. */
const SLICE_MS = 24;
/** Minimum interval of progress reports. */
const REPORT_MS = 200;

/** What a seek needs of a world, or of two worlds that are sought together. */
export type Seekable = Pick<Simulator, 'at' | 'seekTarget' | 'setSeekTarget' | 'advanceSeek' | 'cancelSeek'>;

export interface SeekRequest {
  simulator: Seekable;
  /** Target step; null if only the engine knows it. */
  to: number | null;
  /** Opening a scene, seeking, or undoing. */
  why: SeekProgress['why'];
  /** Reached, or stopped on the way. */
  arrived: () => void;
  /** The target cannot be reached; absent if only an engine failure can prevent it. */
  refused?: (error: unknown) => void;
  /** Replaced by another operation. */
  left: () => void;
}

export class Seeker {
  readonly #guarded: (call: () => void) => void;
  readonly #report: (seekProgress: SeekProgress | null) => void;
  #request: SeekRequest | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reportedAt = 0;
  #hasReported = false;

  constructor(guarded: (call: () => void) => void, report: (seekProgress: SeekProgress | null) => void) {
    this.#guarded = guarded;
    this.#report = report;
  }

  get request(): SeekRequest | null {
    return this.#request;
  }

  /**
   * Starts a seek. `soon` defers it until pending messages are processed: of several seeks in a row
   * only the last is executed.
   */
  begin(request: SeekRequest, when: 'now' | 'soon'): void {
    this.leave();
    this.#request = request;
    this.#reportedAt = performance.now();
    if (when === 'now') this.#goOn();
    else this.#schedule();
  }

  /** Stops at the current step, which becomes the target. */
  stop(): boolean {
    const request = this.#end();
    if (request === null) return false;
    request.simulator.cancelSeek();
    request.arrived();
    return true;
  }

  /** Cancels in favor of another operation. */
  leave(): void {
    const request = this.#end();
    if (request === null) return;
    request.simulator.cancelSeek();
    request.left();
  }

  #goOn(): void {
    const request = this.#request;
    if (request === null) return;
    const { simulator, to } = request;
    let isThere: boolean;
    try {
      if (to !== null && simulator.seekTarget !== to) simulator.setSeekTarget(to);
      isThere = simulator.advanceSeek(SLICE_MS);
    } catch (error) {
      if (request.refused === undefined) throw error;
      this.#end();
      request.refused(error);
      return;
    }
    if (isThere) {
      this.#end();
      request.arrived();
      return;
    }
    const now = performance.now();
    if (now > this.#reportedAt + REPORT_MS) {
      this.#reportedAt = now;
      this.#hasReported = true;
      this.#report({ at: simulator.at, to: simulator.seekTarget ?? simulator.at, why: request.why });
    }
    this.#schedule();
  }

  #schedule(): void {
    this.#timer = setTimeout(() => this.#guarded(() => this.#goOn()));
  }

  #end(): SeekRequest | null {
    const request = this.#request;
    this.#request = null;
    clearTimeout(this.#timer);
    if (this.#hasReported) this.#report(null);
    this.#hasReported = false;
    return request;
  }
}
