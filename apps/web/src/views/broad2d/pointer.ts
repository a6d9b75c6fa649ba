/**
 * What does the pointer do on the stage?
 *
 * Passing over an object looks at it, a click keeps it; a drag moves the view, a wheel or two fingers
 * zoom. Where the whole world is in view, a wheel that would zoom out and a finger that moves up or
 * down scroll the page, so that nobody is caught on the stage.
 */
import { effect } from '@preact/signals';

import { atMostEvery } from '../../shared/pace.ts';
import type { Session } from './session.ts';

/** Less than this is a click by an unsteady hand. */
const DRAG_PX = 4;
const HOVER_MS = 60;
/** One notch of a wheel is about 100. */
const WHEEL_BASE = 1.0016;
/** One press of a key or button. */
export const ZOOM = 1.25;

interface Place {
  x: number;
  y: number;
}

export class View2d {
  readonly #session: Session;
  #element: HTMLElement | null = null;
  readonly #pointers = new Map<number, Place>();
  #moved = false;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Listens on this element until the returned function is called. */
  listen(element: HTMLElement): () => void {
    this.#element = element;
    const stop = new AbortController();
    const { signal } = stop;
    element.addEventListener('pointerdown', (event) => this.#down(event), { signal });
    element.addEventListener('pointermove', (event) => this.#move(event), { signal });
    element.addEventListener('pointerup', (event) => this.#up(event, true), { signal });
    element.addEventListener('pointerleave', (event) => this.#leave(event), { signal });
    element.addEventListener('pointercancel', (event) => this.#up(event, false), { signal });
    // Not passive: a wheel that zooms must not scroll as well.
    element.addEventListener('wheel', (event) => this.#wheel(event), { signal, passive: false });
    // A finger scrolls the page where there is nothing to move to.
    const stopScrolling = effect(() => {
      element.style.touchAction = this.#session.seen.whole.value ? 'pan-y' : 'none';
    });
    return () => {
      stopScrolling();
      stop.abort();
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

  #placeOf(event: MouseEvent): Place {
    const box = this.#element?.getBoundingClientRect();
    // The border is not part of the canvas.
    return {
      x: event.clientX - (box?.left ?? 0) - (this.#element?.clientLeft ?? 0),
      y: event.clientY - (box?.top ?? 0) - (this.#element?.clientTop ?? 0),
    };
  }

  #down(event: PointerEvent): void {
    if (event.button !== 0) {
      return;
    }
    this.#moved = this.#pointers.size > 0;
    this.#pointers.set(event.pointerId, this.#placeOf(event));
    this.#element?.setPointerCapture(event.pointerId);
  }

  #move(event: PointerEvent): void {
    const now = this.#placeOf(event);
    const before = this.#pointers.get(event.pointerId);
    if (before === undefined) {
      if (event.pointerType === 'mouse' && event.buttons === 0) {
        this.#hover(now);
      }
      return;
    }
    const others = [...this.#pointers].filter(([id]) => id !== event.pointerId);
    const [other] = others.map(([, place]) => place);
    if (other !== undefined) {
      this.#pinch(before, now, other);
    } else if (this.#moved || distance(before, now) >= DRAG_PX) {
      this.#moved = true;
      this.pan(now.x - before.x, now.y - before.y);
    } else {
      return;
    }
    this.#pointers.set(event.pointerId, now);
  }

  #pinch(before: Place, now: Place, other: Place): void {
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    this.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
    const apart = distance(before, other);
    if (apart > 0) {
      this.#zoomAt(distance(now, other) / apart, middle);
    }
  }

  #up(event: PointerEvent, wasLifted: boolean): void {
    const place = this.#pointers.get(event.pointerId);
    this.#pointers.delete(event.pointerId);
    if (place !== undefined && wasLifted && !this.#moved) {
      this.#session.pinAt(place.x, place.y);
    }
  }

  /** What was only looked at is let go. */
  #leave(event: PointerEvent): void {
    if (event.pointerType === 'mouse') {
      this.#hover(null);
    }
  }

  readonly #hover = atMostEvery(HOVER_MS, (place: Place | null) => {
    if (this.#pointers.size === 0) {
      this.#session.pointAt(place);
    }
  });

  #wheel(event: WheelEvent): void {
    if (this.#session.isHeld.value) {
      return;
    }
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 33 : 1;
    const factor = WHEEL_BASE ** (-event.deltaY * lines);
    if (factor < 1 && this.#session.seen.whole.value && !event.ctrlKey) {
      return;
    }
    event.preventDefault();
    this.#zoomAt(factor, this.#placeOf(event));
  }
}

function distance(one: Place, other: Place): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}
