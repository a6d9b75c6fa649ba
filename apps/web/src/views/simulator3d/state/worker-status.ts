/** Latest report of the worker and history of the last steps, throttled for display. */
import { batch, signal } from '@preact/signals';

import { throttle } from '../../../shared/throttle.ts';
import { StepHistory } from './step-history.ts';
import { ContactCounts } from './contact-counts.ts';
import type { BodyJson, Stats, Report } from '../workers/protocol.ts';

/** Minimum update interval: faster numbers are unreadable. */
const FIGURES_MS = 200;

export class WorkerStatus {
  readonly report = signal<Report | null>(null);
  readonly moments = signal<readonly Stats[]>([]);
  readonly selected = signal<BodyJson | null>(null);
  /** SVG path. */
  readonly contactsCurve = signal('');
  readonly #history = new StepHistory();
  readonly #contacts = new ContactCounts();
  /** May not be displayed yet. */
  #newest: Report | null = null;

  /** Another world. */
  clear(): void {
    this.#history.clear();
    this.#contacts.clear();
  }

  /** An undo to this step, or a redo: later steps are no longer valid. */
  turnBack(step: number | 'anywhere'): void {
    if (step === 'anywhere') this.#contacts.clear();
    else this.#contacts.forgetAfter(step);
  }

  take(report: Report): void {
    this.#newest = report;
    this.#history.add(report.figures);
  }

  showNow(): void {
    const report = this.#newest;
    if (report === null) return;
    batch(() => {
      this.report.value = report;
      this.selected.value = report.selected;
      this.moments.value = this.#history.moments();
      this.#contacts.add(report.figures.step, report.figures.contacts, report.last);
      this.contactsCurve.value = this.#contacts.path(report.last);
    });
  }

  showSoon(): void {
    this.#showSoon(undefined);
  }

  /** Shows the latest report, even if it arrived after the call. */
  readonly #showSoon = throttle(FIGURES_MS, () => this.showNow());
}
