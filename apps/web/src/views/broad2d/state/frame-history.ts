/**
 * History of the last frames, for the live chart and for means that the worker's sums do not
 * contain.
 */
import { type FrameReport, MEAN_FRAMES } from '../workers/protocol.ts';

export interface Moment {
  frame: number;
  ms: number;
  tests: number;
  fps: number;
}

export class FrameHistory {
  #moments: Moment[] = [];

  add({ frame, ms, tests, fps }: FrameReport): void {
    const last = this.#moments.at(-1);
    if (last !== undefined && frame < last.frame) {
      this.#moments = [];
    }
    if (last?.frame === frame) {
      this.#moments.pop();
    }
    this.#moments.push({ frame, ms, tests, fps });
    const from = this.#moments.findIndex((moment) => moment.frame > frame - MEAN_FRAMES);
    this.#moments.splice(0, from);
  }

  clear(): void {
    this.#moments = [];
  }

  /** A copy: charts compare by identity. */
  moments(): readonly Moment[] {
    return [...this.#moments];
  }

  /** Frames divided by the time the scene was playing; null if it was not. */
  meanFps(): number {
    let [frames, seconds] = [0, 0];
    for (const [place, { frame, fps }] of this.#moments.entries()) {
      const since = frame - (this.#moments[place - 1]?.frame ?? frame - 1);
      if (fps > 0) {
        frames += since;
        seconds += since / fps;
      }
    }
    return frames / seconds;
  }
}
