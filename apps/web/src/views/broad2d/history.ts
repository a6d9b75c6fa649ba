/** How did the last frames go? What the live chart shows and what the sums of the worker do not hold. */
import type { FrameReport } from './protocol.ts';

/** As many frames as the study's means are over. */
export const FRAMES_KEPT = 500;

export interface Moment {
  frame: number;
  ms: number;
  tests: number;
  fps: number;
}

export class History {
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
    const from = this.#moments.findIndex((moment) => moment.frame > frame - FRAMES_KEPT);
    this.#moments.splice(0, from);
  }

  clear(): void {
    this.#moments = [];
  }

  /** A copy: charts compare by identity. */
  moments(): readonly Moment[] {
    return [...this.#moments];
  }

  /** Frames a second while it moved; none if it did not. */
  meanFps(): number {
    const moving = this.#moments.filter((moment) => moment.fps > 0);
    return moving.reduce((sum, moment) => sum + moment.fps, 0) / moving.length;
  }
}
