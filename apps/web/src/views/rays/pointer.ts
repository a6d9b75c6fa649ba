/**
 * What does the pointer do on the stage?
 *
 * A click casts, or places a point; a drag turns the view, with Shift or another button it moves it. Two fingers zoom, and so
 * does a wheel where the stage has the focus. Nobody is caught on the stage.
 */
import { Gestures } from '../../shared/stage/gestures.ts';
import { OrbitView } from '../../shared/stage/orbit-view.ts';
import type { Session } from './session.ts';

export class ViewRays extends OrbitView {
  readonly #session: Session;

  constructor(session: Session) {
    super(session);
    this.#session = session;
  }

  /** Listens on this element until the returned function is called. */
  listen(element: HTMLElement): () => void {
    const stop = this.leavesPageAlone(element);
    const gestures = new Gestures(element, {
      tap: (place) => void this.#session.clickAt(place),
      // Other buttons drag, too.
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
