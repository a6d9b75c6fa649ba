/** Orbit controls: pointer, wheel, touch and keys. */
import type { Signal } from '@preact/signals';

import { t } from '../i18n/translate.ts';
import type { Shortcut } from '../keys.ts';
import type { Place } from '../stage/gestures.ts';
import { letPageScroll } from '../stage/touch-scrolling.ts';
import { ZOOM } from '../stage/zoom-buttons.tsx';

/** One press of an arrow key turns the view like a drag of this many CSS pixels. */
const TURN = 32;

const ARROWS: Record<string, [dx: number, dy: number]> = {
  ArrowLeft: [TURN, 0],
  ArrowRight: [-TURN, 0],
  ArrowUp: [0, TURN],
  ArrowDown: [0, -TURN],
};

export type Orbit = { kind: 'orbit'; dx: number; dy: number } | { kind: 'pan'; dx: number; dy: number } | { kind: 'zoom'; factor: number } | { kind: 'home' };

export interface OrbitTarget {
  /** The user has not turned or moved the view yet. */
  readonly atHome: Signal<boolean>;
  send(message: Orbit): void;
}

export class OrbitControls {
  readonly #orbited: OrbitTarget;

  constructor(orbited: OrbitTarget) {
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

  /** A wheel that passes over an unfocused stage scrolls the page. */
  wheel(factor: number, event: WheelEvent, element: HTMLElement): boolean {
    if (!event.ctrlKey && document.activeElement !== element) return false;
    this.zoom(factor);
    return true;
  }

  /**
   * Vertical touch gestures scroll the page while the view is in its home position, and a mouse
   * button that moves the view opens no context menu. Returns a function that ends this.
   */
  scrollsPageAtHome(element: HTMLElement): () => void {
    const stopScrolling = letPageScroll(element, () => this.#orbited.atHome.value);
    const noMenu = (event: Event): void => event.preventDefault();
    element.addEventListener('contextmenu', noMenu);
    return () => {
      stopScrolling();
      element.removeEventListener('contextmenu', noMenu);
    };
  }
}

/** Shortcuts that turn, zoom and reset the view; `whole` describes what the reset view shows. */
export function orbitShortcuts(view: OrbitControls, whole: () => string): { turn: Shortcut; zoom: Shortcut; home: Shortcut } {
  return {
    turn: {
      on: Object.keys(ARROWS),
      caps: () => [t('key.arrows')],
      about: () => t('key.orbit'),
      run: (key) => view.orbit(...(ARROWS[key] ?? [0, 0])),
    },
    zoom: {
      on: ['+', '=', '-', '_'],
      caps: () => ['+', '−'],
      about: () => t('key.zoom'),
      run: (key) => view.zoom(key === '+' || key === '=' ? ZOOM : 1 / ZOOM),
    },
    home: { on: ['Home'], caps: () => [t('key.home')], about: whole, run: () => view.home() },
  };
}
