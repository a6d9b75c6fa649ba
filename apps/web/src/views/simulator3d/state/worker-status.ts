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
  /** Highest number of contacts on the curve. */
  readonly mostContacts = signal(0);
  /** Steps of the run before the last restart with another method, for comparison. */
  readonly previousRun = signal<readonly Stats[] | null>(null);
  /** Steps of the second world of a comparison. */
  readonly comparedMoments = signal<readonly Stats[]>([]);
  readonly #history = new StepHistory();
  readonly #compared = new StepHistory();
  /** First step of the comparison and its method. */
  #comparison = '';
  readonly #contacts = new ContactCounts();
  /** May not be displayed yet. */
  #newest: Report | null = null;

  /** Another world. */
  clear(): void {
    this.#history.clear();
    this.#compared.clear();
    this.#comparison = '';
    this.#contacts.clear();
    this.previousRun.value = null;
  }

  /** Another run of the same scene begins. */
  comparePrevious(): void {
    this.previousRun.value = this.#history.moments();
  }

  /** An undo to this step, or a redo: later steps are no longer valid. */
  turnBack(step: number | 'anywhere'): void {
    if (step === 'anywhere') this.#contacts.clear();
    else this.#contacts.forgetAfter(step);
  }

  take(report: Report): void {
    this.#newest = report;
    this.#history.add(report.figures);
    const { comparison } = report;
    const which = comparison === null ? '' : JSON.stringify([comparison.from, comparison.method]);
    if (which !== this.#comparison) this.#compared.clear();
    this.#comparison = which;
    if (comparison !== null) this.#compared.add(comparison.figures);
  }

  showNow(): void {
    const report = this.#newest;
    if (report === null) return;
    batch(() => {
      this.report.value = report;
      this.selected.value = report.selected;
      this.moments.value = this.#history.moments();
      this.comparedMoments.value = this.#compared.moments();
      this.#contacts.add(report.figures.step, report.figures.contacts, report.last);
      this.contactsCurve.value = this.#contacts.path(report.last);
      this.mostContacts.value = this.#contacts.max;
    });
  }

  showSoon(): void {
    this.#showSoon(undefined);
  }

  /** Shows the latest report, even if it arrived after the call. */
  readonly #showSoon = throttle(FIGURES_MS, () => this.showNow());
}
