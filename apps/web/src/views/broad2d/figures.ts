/** What was counted and timed lately, as often as it can be read? */
import { batch, signal } from '@preact/signals';

import { atMostEvery } from '../../shared/pace.ts';
import { History, type Moment } from './history.ts';
import type { FrameReport } from './protocol.ts';

/** Figures that change faster cannot be read. */
const FIGURES_MS = 200;

export class Figures {
  readonly report = signal<FrameReport | null>(null);
  readonly moments = signal<readonly Moment[]>([]);
  readonly meanFps = signal(Number.NaN);
  readonly #history = new History();

  add(report: FrameReport): void {
    this.#history.add(report);
    this.#show(report);
  }

  /** Another scene, or another technique: what was before is no part of it. */
  clear(): void {
    this.#history.clear();
  }

  readonly #show = atMostEvery(FIGURES_MS, (report: FrameReport) => {
    batch(() => {
      this.report.value = report;
      this.moments.value = this.#history.moments();
      this.meanFps.value = this.#history.meanFps();
    });
  });
}
