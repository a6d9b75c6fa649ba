/**
 * Pointer interaction on the rays stage.
 *
 * A click casts a ray or places a point; a drag orbits, with Shift or another button it pans. Pinch
 * and, on a focused stage, the wheel zoom; otherwise the page scrolls.
 */
import { Gestures } from '../../../shared/stage/gestures.ts';
import { OrbitControls } from '../../../shared/webgl/orbit-controls.ts';
import type { Session } from './session.ts';

export class ViewRays extends OrbitControls {
  readonly #session: Session;

  constructor(session: Session) {
    super(session);
    this.#session = session;
  }

  /** Attaches to the element; returns a function that detaches. */
  listen(element: HTMLElement): () => void {
    const stop = this.scrollsPageAtHome(element);
    const gestures = new Gestures(element, {
      tap: (place) => void this.#session.clickAt(place),
      // Enables drags with other buttons.
      down: () => undefined,
      drag: (by, _to, event) => this.drag(by, event),
      pinch: (factor, _middle, by) => this.pinch(factor, by),
      wheel: (factor, _place, event) => this.wheel(factor, event, element),
    });
    return () => {
      gestures.stop();
      stop();
    };
  }
}
