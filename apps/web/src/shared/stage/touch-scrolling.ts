/** Vertical touch gestures over a stage: page scrolling or stage dragging. */
import { effect } from '@preact/signals';

/**
 * While `holds`, vertical touch gestures scroll the page; otherwise the stage receives them.
 * Returns a function that ends this.
 */
export function letPageScroll(element: HTMLElement, holds: () => boolean): () => void {
  return effect(() => {
    element.style.touchAction = holds() ? 'pan-y' : 'none';
  });
}
