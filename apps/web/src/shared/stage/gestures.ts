/**
 * What does the pointer do on a stage? A tap, a drag, a pinch of two fingers, a wheel, or only passing over.
 *
 * Places are CSS pixels from the corner of the canvas.
 */
import { atMostEvery } from '../pace.ts';

/** Less than this is a tap by an unsteady hand. */
const DRAG_PX = 4;
const HOVER_MS = 60;
/** One notch of a wheel is about 100. */
const WHEEL_BASE = 1.0016;

export interface Place {
  x: number;
  y: number;
}

export interface Gestured {
  tap(place: Place): void;
  /** Nowhere when it has left. */
  hover?(place: Place | null): void;
  /** A pointer went down, and may be about to drag. */
  down?(place: Place, event: PointerEvent): void;
  drag(by: Place, to: Place, event: PointerEvent): void;
  /** The pointer that went down is up again, or gone. */
  up?(): void;
  /** Two fingers: how much farther apart, about which place, and how far that moved. */
  pinch(factor: number, middle: Place, by: Place): void;
  /** Whether it did something; else the page scrolls. */
  wheel(factor: number, place: Place, event: WheelEvent): boolean;
}

export class Gestures {
  readonly #gestured: Gestured;
  readonly #element: HTMLElement;
  readonly #pointers = new Map<number, Place>();
  readonly #stop = new AbortController();
  #moved = false;

  constructor(element: HTMLElement, gestured: Gestured) {
    this.#element = element;
    this.#gestured = gestured;
    const { signal } = this.#stop;
    element.addEventListener('pointerdown', (event) => this.#down(event), { signal });
    element.addEventListener('pointermove', (event) => this.#move(event), { signal });
    element.addEventListener('pointerup', (event) => this.#up(event, true), { signal });
    element.addEventListener('pointerleave', (event) => this.#leave(event), { signal });
    element.addEventListener('pointercancel', (event) => this.#up(event, false), { signal });
    // Not passive: a wheel that zooms must not scroll as well.
    element.addEventListener('wheel', (event) => this.#wheel(event), { signal, passive: false });
  }

  stop(): void {
    this.#stop.abort();
  }

  #placeOf(event: MouseEvent): Place {
    const box = this.#element.getBoundingClientRect();
    // The border is not part of the canvas.
    return {
      x: event.clientX - box.left - this.#element.clientLeft,
      y: event.clientY - box.top - this.#element.clientTop,
    };
  }

  #down(event: PointerEvent): void {
    if (event.button !== 0 && this.#gestured.down === undefined) {
      return;
    }
    const place = this.#placeOf(event);
    const isFirst = this.#pointers.size === 0;
    this.#moved = !isFirst;
    this.#pointers.set(event.pointerId, place);
    this.#element.setPointerCapture(event.pointerId);
    if (isFirst) {
      this.#gestured.down?.(place, event);
    } else {
      this.#gestured.up?.();
    }
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
    const [other] = [...this.#pointers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
    if (other !== undefined) {
      this.#pinch(before, now, other);
    } else if (this.#moved || distance(before, now) >= DRAG_PX) {
      this.#moved = true;
      this.#gestured.drag({ x: now.x - before.x, y: now.y - before.y }, now, event);
    } else {
      return;
    }
    this.#pointers.set(event.pointerId, now);
  }

  #pinch(before: Place, now: Place, other: Place): void {
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    const apart = distance(before, other);
    const factor = apart > 0 ? distance(now, other) / apart : 1;
    this.#gestured.pinch(factor, middle, { x: (now.x - before.x) / 2, y: (now.y - before.y) / 2 });
  }

  #up(event: PointerEvent, wasLifted: boolean): void {
    const place = this.#pointers.get(event.pointerId);
    this.#pointers.delete(event.pointerId);
    if (place === undefined) {
      return;
    }
    if (wasLifted && !this.#moved && event.button === 0) {
      this.#gestured.tap(place);
    }
    this.#gestured.up?.();
  }

  /** What was only looked at is let go. */
  #leave(event: PointerEvent): void {
    if (event.pointerType === 'mouse') {
      this.#hover(null);
    }
  }

  readonly #hover = atMostEvery(HOVER_MS, (place: Place | null) => {
    if (this.#pointers.size === 0) {
      this.#gestured.hover?.(place);
    }
  });

  #wheel(event: WheelEvent): void {
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 33 : 1;
    if (this.#gestured.wheel(WHEEL_BASE ** (-event.deltaY * lines), this.#placeOf(event), event)) {
      event.preventDefault();
    }
  }
}

function distance(one: Place, other: Place): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}
