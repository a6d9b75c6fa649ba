/** What did the worker report last, and how did the last steps go? Shown no faster than it can be read. */
import { batch, signal } from '@preact/signals';

import { atMostEvery } from '../../shared/pace.ts';
import { History } from './history.ts';
import { KnownContacts } from './known-contacts.ts';
import type { BodyWords, Figures, Report } from './protocol.ts';

/** Figures that change faster cannot be read. */
const FIGURES_MS = 200;

export class Telling {
  readonly report = signal<Report | null>(null);
  readonly moments = signal<readonly Figures[]>([]);
  readonly selected = signal<BodyWords | null>(null);
  /** A path in SVG. */
  readonly contactsCurve = signal('');
  readonly #history = new History();
  readonly #contacts = new KnownContacts();
  /** Not shown yet, perhaps. */
  #newest: Report | null = null;

  /** Another world. */
  clear(): void {
    this.#history.clear();
    this.#contacts.clear();
  }

  /** A change was taken back, to this step, or done again: what was told to follow is so no longer. */
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

  /** Shows the newest, also if that came later: nothing older comes after it. */
  readonly #showSoon = atMostEvery(FIGURES_MS, () => this.showNow());
}
