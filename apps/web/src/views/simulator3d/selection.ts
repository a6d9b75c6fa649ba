/** Which body is selected, and what is known of it? It is named at once; what is known of it comes with the answer. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';

import { words } from '../../shared/i18n.ts';
import { say } from '../../shell/status.tsx';
import type { BodyRow, FromPage, FromWorker } from './protocol.ts';
import type { Refusals } from './refusals.ts';
import type { Telling } from './telling.ts';
import { words3d } from './words.ts';

interface Among {
  bodies: ReadonlySignal<readonly BodyRow[]>;
  telling: Telling;
  refusals: Refusals;
  canDrive: ReadonlySignal<boolean>;
  send: (message: FromPage) => void;
}

export class Selection {
  readonly key = signal<number | null>(null);
  /** Where it is drawn. */
  readonly mark = signal<{ x: number; y: number } | null>(null);
  readonly row = computed(() => this.#rowOf(this.key.value));
  /** The body whose contacts were told last: for a moment the one that was selected before. */
  readonly toldRow = computed(() => this.#rowOf(this.#among.telling.report.value?.selectedKey ?? null));
  /** Its words; none until they were told. */
  readonly words = computed(() => {
    const { report, selected } = this.#among.telling;
    return report.value?.selectedKey === this.key.value ? selected.value : null;
  });
  readonly #among: Among;
  /** Bodies that were chosen since the stage last said which one is. */
  #choices = 0;
  /** The last one was said when it was chosen. */
  #isSaid = false;

  constructor(among: Among) {
    this.#among = among;
  }

  select(key: number | null): void {
    if (!this.#among.canDrive.value) return;
    this.#choose(key);
    this.#choices += 1;
    this.#isSaid = true;
    this.#among.send({ kind: 'select', key });
    // Not when it is answered: what the reader has asked for since would be taken away.
    this.sayIt();
  }

  /** What is drawn here, which only the stage knows. */
  selectAt(place: { x: number; y: number }): void {
    if (!this.#among.canDrive.value) return;
    this.#choices += 1;
    this.#isSaid = false;
    this.#among.send({ kind: 'select-at', ...place });
  }

  /** The body before or after the selected one, round and round. */
  selectBy(by: 1 | -1): void {
    const bodies = this.#among.bodies.value;
    if (bodies.length === 0) return;
    const selected = this.row.value;
    const place = selected === null ? (by === 1 ? -1 : 0) : bodies.indexOf(selected);
    this.select(bodies[(place + by + bodies.length) % bodies.length]?.key ?? null);
  }

  /** A body that was chosen of another world, or of a stage that is no more, is not waited for. */
  forgetChoices(): void {
    this.#choices = 0;
  }

  /** The stage has selected one. Whoever has chosen another one since is told of that; whether it is the latest, and not said yet. */
  follow({ key, chosen }: Extract<FromWorker, { kind: 'selected' }>): boolean {
    if (chosen) this.#choices = Math.max(0, this.#choices - 1);
    const isLatest = this.#choices === 0;
    const isNews = chosen && isLatest && !(this.#isSaid && key === this.key.value);
    if (isLatest) this.#choose(key);
    return isNews;
  }

  sayIt(): void {
    const name = this.row.value?.name;
    say(() => (name === undefined ? words('said.unselected') : words3d('said.selected', { name })));
  }

  #choose(key: number | null): void {
    // What was refused of another body is no longer of interest.
    if (key !== this.key.value) this.#among.refusals.forget('body');
    this.key.value = key;
  }

  #rowOf(wanted: number | null): BodyRow | null {
    return this.#among.bodies.value.find(({ key }) => key === wanted) ?? null;
  }
}
