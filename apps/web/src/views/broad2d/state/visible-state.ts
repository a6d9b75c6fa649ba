/**
 * Visible part of the world and inspected object, as reported by the worker, throttled for display.
 */
import { computed, signal } from '@preact/signals';

import { t2d } from '../i18n/translate.ts';
import { throttle } from '../../../shared/throttle.ts';
import { announce, showToast } from '../../../shell/status.tsx';
import type { FromWorker, Seen, Selection } from '../workers/protocol.ts';

/** Minimum update interval: faster text is unreadable. */
const SELECTION_MS = 250;
/** Objects pass through a narrow view; without a delay the note would blink. */
const EMPTY_MS = 1000;

export class VisibleState {
  readonly selection = signal<Selection | null>(null);
  /** The object selected by click or key, excluding hover. */
  readonly kept = computed(() => {
    const selection = this.selection.value;
    return selection?.kept === true ? selection.object : null;
  });
  /** Zooming out further is impossible. */
  readonly whole = signal(true);
  /** The view shows no object. */
  readonly nothing = signal(false);

  #awaitsClick = false;

  /** A click on the stage was sent; its result is the next selection of the user. */
  expectClick(): void {
    this.#awaitsClick = true;
  }

  see({ whole, empty }: Seen): void {
    this.whole.value = whole;
    this.#seeNothing(empty);
  }

  select({ selection, chosen }: Extract<FromWorker, { kind: 'selected' }>): void {
    if (chosen) {
      const object = selection?.object ?? null;
      const isMiss = this.#awaitsClick && object === null && this.kept.value === null;
      this.#awaitsClick = false;
      // A user's selection is shown at once; updates of it are throttled.
      this.selection.value = selection;
      if (object !== null) announce(() => t2d('announce.selected', { object }));
      // Without it, a click beside a small object would have no visible effect.
      else if (isMiss) showToast(() => t2d('announce.nothing-hit'));
      else announce(() => t2d('announce.unselected'));
    }
    this.#showSelection(selection);
  }

  readonly #showSelection = throttle(SELECTION_MS, (selection: Selection | null) => {
    this.selection.value = selection;
  });

  readonly #seeNothing = throttle(EMPTY_MS, (empty: boolean) => {
    this.nothing.value = empty;
  });
}
