/** How is a view that goes round its middle turned, moved and brought home? By pointer, wheel, fingers and keys. */
import type { Signal } from '@preact/signals';

import { words } from '../i18n.ts';
import type { Shortcut } from '../keys.ts';
import type { Place } from './gestures.ts';
import { letPageScroll } from './scrolling.ts';
import { ZOOM } from './view-tools.tsx';

/** So far turns the view with one press of an arrow, as if dragged by CSS pixels. */
const TURN = 32;

const ARROWS: Record<string, [dx: number, dy: number]> = {
  ArrowLeft: [TURN, 0],
  ArrowRight: [-TURN, 0],
  ArrowUp: [0, TURN],
  ArrowDown: [0, -TURN],
};

export type Orbit = { kind: 'orbit'; dx: number; dy: number } | { kind: 'pan'; dx: number; dy: number } | { kind: 'zoom'; factor: number } | { kind: 'home' };

export interface Orbited {
  /** Nobody has turned or moved the view yet. */
  readonly atHome: Signal<boolean>;
  send(message: Orbit): void;
}

export class OrbitView {
  readonly #orbited: Orbited;

  constructor(orbited: Orbited) {
    this.#orbited = orbited;
  }

  zoom(factor: number): void {
    this.#orbited.atHome.value = false;
    this.#orbited.send({ kind: 'zoom', factor });
  }

  orbit(dx: number, dy: number): void {
    this.#orbited.atHome.value = false;
    this.#orbited.send({ kind: 'orbit', dx, dy });
  }

  pan({ x, y }: Place): void {
    this.#orbited.atHome.value = false;
    this.#orbited.send({ kind: 'pan', dx: x, dy: y });
  }

  home(): void {
    this.#orbited.atHome.value = true;
    this.#orbited.send({ kind: 'home' });
  }

  /** A drag turns the view; with Shift or another button it moves it. */
  drag(by: Place, event: PointerEvent): void {
    if (event.shiftKey || (event.buttons & 1) === 0) this.pan(by);
    else this.orbit(by.x, by.y);
  }

  pinch(factor: number, by: Place): void {
    this.pan(by);
    this.zoom(factor);
  }

  /** Nobody is caught on the stage: a wheel that only passes over it scrolls the page. */
  wheel(factor: number, event: WheelEvent, element: HTMLElement): boolean {
    if (!event.ctrlKey && document.activeElement !== element) return false;
    this.zoom(factor);
    return true;
  }

  /**
   * A finger that goes up or down scrolls the page as long as the view is at home, and a button that moves the view opens no
   * menu. Returns how to stop.
   */
  leavesPageAlone(element: HTMLElement): () => void {
    const stopScrolling = letPageScroll(element, () => this.#orbited.atHome.value);
    const noMenu = (event: Event): void => event.preventDefault();
    element.addEventListener('contextmenu', noMenu);
    return () => {
      stopScrolling();
      element.removeEventListener('contextmenu', noMenu);
    };
  }
}

/** Keys that turn a view, zoom it and bring it home, where all that `whole` names is in view. */
export function orbitShortcuts(view: OrbitView, whole: () => string): { turn: Shortcut; zoom: Shortcut; home: Shortcut } {
  return {
    turn: {
      on: Object.keys(ARROWS),
      caps: () => [words('key.arrows')],
      about: () => words('key.orbit'),
      run: (key) => view.orbit(...(ARROWS[key] ?? [0, 0])),
    },
    zoom: {
      on: ['+', '=', '-', '_'],
      caps: () => ['+', '−'],
      about: () => words('key.zoom'),
      run: (key) => view.zoom(key === '+' || key === '=' ? ZOOM : 1 / ZOOM),
    },
    home: { on: ['Home'], caps: () => [words('key.home')], about: whole, run: () => view.home() },
  };
}
