/** Whose is a finger that goes up or down over a stage? */
import { effect } from '@preact/signals';

/** The page's, which scrolls by it, as long as this holds; else the stage's. Until the returned function is called. */
export function letPageScroll(element: HTMLElement, holds: () => boolean): () => void {
  return effect(() => {
    element.style.touchAction = holds() ? 'pan-y' : 'none';
  });
}
