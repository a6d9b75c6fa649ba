/** Counts and times of recent frames, updated at a readable rate. */
import { batch, signal } from '@preact/signals';

import { throttle } from '../../../shared/throttle.ts';
import { FrameHistory, type Moment } from './frame-history.ts';
import type { FrameReport } from '../workers/protocol.ts';

/** Minimum update interval: faster numbers are unreadable. */
const FIGURES_MS = 200;

export class FrameStats {
  readonly report = signal<FrameReport | null>(null);
  readonly moments = signal<readonly Moment[]>([]);
  readonly meanFps = signal(Number.NaN);
  readonly #history = new FrameHistory();

  add(report: FrameReport): void {
    this.#history.add(report);
    this.#show(report);
  }

  /** Another scene or technique: drop earlier frames. */
  clear(): void {
    this.#history.clear();
  }

  readonly #show = throttle(FIGURES_MS, (report: FrameReport) => {
    batch(() => {
      this.report.value = report;
      this.moments.value = this.#history.moments();
      this.meanFps.value = this.#history.meanFps();
    });
  });
}
