/**
 * Pointer interaction on the 2D stage.
 *
 * Hover inspects an object, a click selects it; a drag pans, wheel or pinch zooms. Where the whole
 * world is visible, zooming out by wheel and vertical touch gestures scroll the page.
 */
import { Gestures, type Place } from '../../../shared/stage/gestures.ts';
import { letPageScroll } from '../../../shared/stage/touch-scrolling.ts';
import type { Session } from './session.ts';

/** Pick radius in CSS pixels. A finger covers a small object, which moves on until it is lifted. */
const REACH = { mouse: 10, touch: 24 } as const;

export class View2d {
  readonly #session: Session;
  #element: HTMLElement | null = null;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Attaches to the element; returns a function that detaches. */
  listen(element: HTMLElement): () => void {
    this.#element = element;
    let reach: number = REACH.mouse;
    const watchDevice = (event: PointerEvent): void => {
      reach = event.pointerType === 'touch' ? REACH.touch : REACH.mouse;
    };
    element.addEventListener('pointerdown', watchDevice);
    const gestures = new Gestures(element, {
      tap: ({ x, y }) => this.#session.pinAt(x, y, reach),
      hover: (place) => this.#session.pointAt(place),
      drag: ({ x, y }) => this.pan(x, y),
      pinch: (factor, middle, { x, y }) => {
        this.pan(x, y);
        this.#zoomAt(factor, middle);
      },
      wheel: (factor, place, event) => this.#wheel(factor, place, event),
    });
    // Touch gestures scroll the page where panning is impossible.
    const stopScrolling = letPageScroll(element, () => this.#session.seen.whole.value);
    return () => {
      element.removeEventListener('pointerdown', watchDevice);
      stopScrolling();
      gestures.stop();
    };
  }

  pan(dx: number, dy: number): void {
    if (this.#session.isLocked.value) {
      return;
    }
    this.#session.send({ kind: 'pan', dx, dy });
  }

  fit(): void {
    if (this.#session.isLocked.value) {
      return;
    }
    this.#session.send({ kind: 'fit' });
  }

  zoomAtMiddle(factor: number): void {
    const { clientWidth = 0, clientHeight = 0 } = this.#element ?? {};
    this.#zoomAt(factor, { x: clientWidth / 2, y: clientHeight / 2 });
  }

  #zoomAt(factor: number, { x, y }: Place): void {
    // During an experiment the stage shows its worlds as a whole.
    if (this.#session.isLocked.value) {
      return;
    }
    this.#session.send({ kind: 'zoom', factor, x, y });
  }

  #wheel(factor: number, place: Place, event: WheelEvent): boolean {
    if (this.#session.isLocked.value || (factor < 1 && this.#session.seen.whole.value && !event.ctrlKey)) {
      return false;
    }
    this.#zoomAt(factor, place);
    return true;
  }
}
