/** Selected body. Its key is set at once; its properties arrive with the worker's response. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';

import { t } from '../../../shared/i18n/translate.ts';
import { announce } from '../../../shell/status.tsx';
import { bodyName } from '../i18n/body-names.ts';
import type { BodyRow, FromPage, FromWorker } from '../workers/protocol.ts';
import type { EditErrors } from './edit-errors.ts';
import type { WorkerStatus } from './worker-status.ts';
import { t3d } from '../i18n/translate.ts';

interface SessionParts {
  bodies: ReadonlySignal<readonly BodyRow[]>;
  status: WorkerStatus;
  editErrors: EditErrors;
  canPlay: ReadonlySignal<boolean>;
  send: (message: FromPage) => void;
}

export class Selection {
  readonly key = signal<number | null>(null);
  /** Its position on the stage. */
  readonly mark = signal<{ x: number; y: number } | null>(null);
  readonly row = computed(() => this.#rowOf(this.key.value));
  /** Row of the body whose contacts were reported last: briefly that of the previous selection. */
  readonly reportedRow = computed(() => this.#rowOf(this.#session.status.report.value?.selectedKey ?? null));
  /** Its JSON; null until it has arrived. */
  readonly json = computed(() => {
    const { report, selected } = this.#session.status;
    return report.value?.selectedKey === this.key.value ? selected.value : null;
  });
  readonly #session: SessionParts;
  /** Selections that the stage has not confirmed yet. */
  #choices = 0;
  /** The last selection was announced when it was made. */
  #isAnnounced = false;

  constructor(session: SessionParts) {
    this.#session = session;
  }

  select(key: number | null): void {
    if (!this.#session.canPlay.value) return;
    this.#choose(key);
    this.#choices += 1;
    this.#isAnnounced = true;
    this.#session.send({ kind: 'select', key });
    // Announced now and not with the response, which would replace a later announcement.
    this.announceSelection();
  }

  /** Selects by pixel, which only the stage can resolve. */
  selectAt(place: { x: number; y: number }): void {
    if (!this.#session.canPlay.value) return;
    this.#choices += 1;
    this.#isAnnounced = false;
    this.#session.send({ kind: 'select-at', ...place });
  }

  /** Next or previous body, cyclic. */
  selectBy(by: 1 | -1): void {
    const bodies = this.#session.bodies.value;
    if (bodies.length === 0) return;
    const selected = this.row.value;
    const place = selected === null ? (by === 1 ? -1 : 0) : bodies.indexOf(selected);
    this.select(bodies[(place + by + bodies.length) % bodies.length]?.key ?? null);
  }

  /** Drops pending selections of another world or of a terminated stage. */
  dropPendingChoices(): void {
    this.#choices = 0;
  }

  /**
   * The stage has selected a body. Ignored if the user has selected another one since. Returns
   * whether it is the latest and not announced yet.
   */
  follow({ key, chosen }: Extract<FromWorker, { kind: 'selected' }>): boolean {
    if (chosen) this.#choices = Math.max(0, this.#choices - 1);
    const isLatest = this.#choices === 0;
    const isNews = chosen && isLatest && !(this.#isAnnounced && key === this.key.value);
    if (isLatest) this.#choose(key);
    return isNews;
  }

  announceSelection(): void {
    const name = this.row.value?.name;
    announce(() => (name === undefined ? t('announce.unselected') : t3d('announce.selected', { name: bodyName(name) })));
  }

  #choose(key: number | null): void {
    // Errors of another body are out of date.
    if (key !== this.key.value) this.#session.editErrors.forget('body');
    this.key.value = key;
  }

  #rowOf(wanted: number | null): BodyRow | null {
    return this.#session.bodies.value.find(({ key }) => key === wanted) ?? null;
  }
}
