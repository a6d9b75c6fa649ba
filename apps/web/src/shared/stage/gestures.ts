/**
 * Pointer gestures on a stage: tap, drag, two-finger pinch, wheel, hover.
 *
 * Positions are CSS pixels from the canvas's corner.
 */
import { throttle } from '../throttle.ts';

/** Smaller movements count as a tap. */
const DRAG_PX = 4;
const HOVER_MS = 60;
/** One wheel notch is about 100. */
const WHEEL_BASE = 1.0016;

export interface Place {
  x: number;
  y: number;
}

export interface GestureCallbacks {
  tap(place: Place): void;
  /** Null when the pointer has left. */
  hover?(place: Place | null): void;
  /** A pointer was pressed and may start a drag. */
  down?(place: Place, event: PointerEvent): void;
  drag(by: Place, to: Place, event: PointerEvent): void;
  /** The pressed pointer was released or canceled. */
  up?(): void;
  /** Two fingers: relative change of their distance, center, and its movement. */
  pinch(factor: number, middle: Place, by: Place): void;
  /** Returns whether the wheel was handled; otherwise the page scrolls. */
  wheel(factor: number, place: Place, event: WheelEvent): boolean;
}

export class Gestures {
  readonly #callbacks: GestureCallbacks;
  readonly #element: HTMLElement;
  readonly #pointers = new Map<number, Place>();
  readonly #stop = new AbortController();
  #moved = false;

  constructor(element: HTMLElement, callbacks: GestureCallbacks) {
    this.#element = element;
    this.#callbacks = callbacks;
    const { signal } = this.#stop;
    element.addEventListener('pointerdown', (event) => this.#down(event), { signal });
    element.addEventListener('pointermove', (event) => this.#move(event), { signal });
    element.addEventListener('pointerup', (event) => this.#up(event, true), { signal });
    element.addEventListener('pointerleave', (event) => this.#leave(event), { signal });
    element.addEventListener('pointercancel', (event) => this.#up(event, false), { signal });
    // Not passive: a wheel that zooms must not also scroll.
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
    if (event.button !== 0 && this.#callbacks.down === undefined) {
      return;
    }
    const place = this.#placeOf(event);
    const isFirst = this.#pointers.size === 0;
    this.#moved = !isFirst;
    this.#pointers.set(event.pointerId, place);
    this.#element.setPointerCapture(event.pointerId);
    if (isFirst) {
      this.#callbacks.down?.(place, event);
    } else {
      this.#callbacks.up?.();
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
      this.#callbacks.drag({ x: now.x - before.x, y: now.y - before.y }, now, event);
    } else {
      return;
    }
    this.#pointers.set(event.pointerId, now);
  }

  #pinch(before: Place, now: Place, other: Place): void {
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    const apart = distance(before, other);
    const factor = apart > 0 ? distance(now, other) / apart : 1;
    this.#callbacks.pinch(factor, middle, { x: (now.x - before.x) / 2, y: (now.y - before.y) / 2 });
  }

  #up(event: PointerEvent, wasLifted: boolean): void {
    const place = this.#pointers.get(event.pointerId);
    this.#pointers.delete(event.pointerId);
    if (place === undefined) {
      return;
    }
    if (wasLifted && !this.#moved && event.button === 0) {
      this.#callbacks.tap(place);
    }
    this.#callbacks.up?.();
  }

  /** Ends the hover. */
  #leave(event: PointerEvent): void {
    if (event.pointerType === 'mouse') {
      this.#hover(null);
    }
  }

  readonly #hover = throttle(HOVER_MS, (place: Place | null) => {
    if (this.#pointers.size === 0) {
      this.#callbacks.hover?.(place);
    }
  });

  #wheel(event: WheelEvent): void {
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 33 : 1;
    if (this.#callbacks.wheel(WHEEL_BASE ** (-event.deltaY * lines), this.#placeOf(event), event)) {
      event.preventDefault();
    }
  }
}

function distance(one: Place, other: Place): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}
