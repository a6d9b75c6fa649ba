/**
 * What does the pointer do on the stage?
 *
 * A click selects. A drag on a body that moves pulls it while the scene plays; elsewhere it turns the view, with
 * Shift or another button it moves it. Two fingers zoom, and so does a wheel where the stage has the focus. Nobody
 * is caught on the stage: a wheel that only passes over it scrolls the page, and so does a finger that goes up or
 * down as long as the view is at home, but for one that begins on the selected body while it plays.
 */
import { Gestures, type Place } from '../../shared/stage/gestures.ts';
import { OrbitView } from '../../shared/stage/orbit-view.ts';
import type { Session } from './session.ts';
import { words3d } from './words.ts';

/** A finger hides about so much around its middle. */
const FINGER_PX = 32;

export class View3d extends OrbitView {
  readonly #session: Session;
  /** Where the pointer is, if it is on the stage. */
  #at: Place | null = null;
  /** What a drag does: the stage is asked when it begins, and may answer a little later. */
  #drags: 'may-pull' | 'asked' | 'pulls' | 'turns' = 'turns';
  #downAt: Place = { x: 0, y: 0 };

  constructor(session: Session) {
    super(session);
    this.#session = session;
  }

  /** Listens on this element until the returned function is called. */
  listen(element: HTMLElement): () => void {
    const session = this.#session;
    const stop = this.leavesPageAlone(element);
    session.grabbed = (holds) => {
      if (this.#drags === 'asked') {
        this.#drags = holds ? 'pulls' : 'turns';
        // The pointer may be elsewhere by now, and stay there.
        if (holds && this.#at !== null) session.send({ kind: 'hand', x: this.#at.x, y: this.#at.y });
      } else if (holds) {
        session.send({ kind: 'let-go' });
      }
    };
    const gestures = new Gestures(element, {
      tap: ({ x, y }) => session.selection.selectAt({ x, y }),
      hover: (place) => (this.#at = place),
      down: (place, event) => {
        const mayPull = session.playing.value && event.button === 0 && !event.shiftKey;
        this.#drags = mayPull ? 'may-pull' : 'turns';
        this.#downAt = place;
      },
      drag: (by, to, event) => {
        this.#at = to;
        // Not before it is a drag: a click only selects.
        if (this.#drags === 'may-pull') {
          this.#drags = 'asked';
          session.send({ kind: 'grab', ...this.#downAt });
        }
        if (this.#drags === 'pulls') session.send({ kind: 'hand', x: to.x, y: to.y });
        else if (this.#drags === 'turns') this.drag(by, event);
      },
      up: () => {
        if (this.#drags === 'pulls') session.send({ kind: 'let-go' });
        this.#drags = 'turns';
      },
      pinch: (factor, _middle, by) => this.pinch(factor, by),
      wheel: (factor, _place, event) => this.wheel(factor, event, element),
    });
    // A finger on the selected body pulls it, up and down too: else the browser would scroll the page by it.
    const keepsFinger = (event: TouchEvent): void => {
      const [finger, mark] = [event.touches[0], session.selection.mark.value];
      if (!session.playing.value || event.touches.length !== 1 || finger === undefined || mark === null) return;
      const box = element.getBoundingClientRect();
      if (Math.hypot(finger.clientX - box.left - mark.x, finger.clientY - box.top - mark.y) <= FINGER_PX) event.preventDefault();
    };
    element.addEventListener('touchstart', keepsFinger, { passive: false });
    return () => {
      gestures.stop();
      stop();
      session.grabbed = null;
      element.removeEventListener('touchstart', keepsFinger);
    };
  }

  /** Towards the pointer, or the middle of the view. */
  throw(): void {
    this.#session.edit({ do: 'throw', name: words3d('stage.thrown'), place: this.#at }, 'objects');
  }
}
