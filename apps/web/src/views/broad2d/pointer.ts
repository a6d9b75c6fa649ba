/**
 * What does the pointer do on the stage?
 *
 * Passing over an object looks at it, a click keeps it; a drag moves the view, a wheel or two fingers
 * zoom. Where the whole world is in view, a wheel that would zoom out and a finger that moves up or
 * down scroll the page, so that nobody is caught on the stage.
 */
import { Gestures, type Place } from '../../shared/stage/gestures.ts';
import { letPageScroll } from '../../shared/stage/scrolling.ts';
import type { Session } from './session.ts';

export class View2d {
  readonly #session: Session;
  #element: HTMLElement | null = null;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Listens on this element until the returned function is called. */
  listen(element: HTMLElement): () => void {
    this.#element = element;
    const gestures = new Gestures(element, {
      tap: ({ x, y }) => this.#session.pinAt(x, y),
      hover: (place) => this.#session.pointAt(place),
      drag: ({ x, y }) => this.pan(x, y),
      pinch: (factor, middle, { x, y }) => {
        this.pan(x, y);
        this.#zoomAt(factor, middle);
      },
      wheel: (factor, place, event) => this.#wheel(factor, place, event),
    });
    // A finger scrolls the page where there is nothing to move to.
    const stopScrolling = letPageScroll(element, () => this.#session.seen.whole.value);
    return () => {
      stopScrolling();
      gestures.stop();
    };
  }

  pan(dx: number, dy: number): void {
    if (this.#session.isHeld.value) {
      return;
    }
    this.#session.send({ kind: 'pan', dx, dy });
  }

  fit(): void {
    if (this.#session.isHeld.value) {
      return;
    }
    this.#session.send({ kind: 'fit' });
  }

  zoomAtMiddle(factor: number): void {
    const { clientWidth = 0, clientHeight = 0 } = this.#element ?? {};
    this.#zoomAt(factor, { x: clientWidth / 2, y: clientHeight / 2 });
  }

  #zoomAt(factor: number, { x, y }: Place): void {
    // An experiment has the stage, and shows its worlds whole.
    if (this.#session.isHeld.value) {
      return;
    }
    this.#session.send({ kind: 'zoom', factor, x, y });
  }

  #wheel(factor: number, place: Place, event: WheelEvent): boolean {
    if (this.#session.isHeld.value || (factor < 1 && this.#session.seen.whole.value && !event.ctrlKey)) {
      return false;
    }
    this.#zoomAt(factor, place);
    return true;
  }
}
