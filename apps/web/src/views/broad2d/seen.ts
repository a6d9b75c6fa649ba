/** What does the reader see of the world, and which object is looked at? The worker tells; here it is paced. */
import { computed, signal } from '@preact/signals';

import { words } from '../../shared/i18n.ts';
import { atMostEvery } from '../../shared/pace.ts';
import { say } from '../../shell/status.tsx';
import type { FromWorker, Seen, Selection } from './protocol.ts';

/** Words about an object that change faster cannot be read. */
const SELECTION_MS = 250;
/** Objects pass through a narrow view; a note that came and went with them would blink. */
const EMPTY_MS = 1000;

export class SeenOfWorld {
  readonly selection = signal<Selection | null>(null);
  /** The object that was clicked or chosen by key; what the pointer only rests on is not kept. */
  readonly kept = computed(() => {
    const selection = this.selection.value;
    return selection?.kept === true ? selection.object : null;
  });
  /** There is nothing farther out. */
  readonly whole = signal(true);
  /** The reader moved the view to where nothing is. */
  readonly nothing = signal(false);

  see({ whole, empty }: Seen): void {
    this.whole.value = whole;
    this.#seeNothing(empty);
  }

  select({ selection, chosen }: Extract<FromWorker, { kind: 'selected' }>): void {
    if (chosen) {
      // What somebody asked for is shown at once; how it moves on, at a pace that can be read.
      this.selection.value = selection;
      const object = selection?.object ?? null;
      say(() => (object === null ? words('said.unselected') : words('said.selected', { object })));
    }
    this.#showSelection(selection);
  }

  readonly #showSelection = atMostEvery(SELECTION_MS, (selection: Selection | null) => {
    this.selection.value = selection;
  });

  readonly #seeNothing = atMostEvery(EMPTY_MS, (empty: boolean) => {
    this.nothing.value = empty;
  });
}
