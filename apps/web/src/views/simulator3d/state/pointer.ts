/**
 * Pointer interaction on the 3D stage.
 *
 * A click selects. A drag on a dynamic body pulls it while the scene plays; elsewhere it orbits,
 * with Shift or another button it pans. Pinch and, on a focused stage, the wheel zoom; on an
 * unfocused stage the wheel scrolls the page. Vertical touch gestures scroll the page while the
 * camera is in its home position, except for those that start on the selected body while the scene
 * plays.
 */
import { Gestures, type Place } from '../../../shared/stage/gestures.ts';
import { OrbitControls } from '../../../shared/webgl/orbit-controls.ts';
import type { Session } from './session.ts';

/** Touch radius in CSS pixels. */
const FINGER_PX = 32;

export class View3d extends OrbitControls {
  readonly #session: Session;
  /** Pointer position on the stage, if any. */
  #at: Place | null = null;
  /**
   * State of the drag: a grab is requested when it starts, and responds a little later.
   */
  #drags: 'may-pull' | 'requested' | 'pulls' | 'turns' = 'turns';
  #downAt: Place = { x: 0, y: 0 };

  constructor(session: Session) {
    super(session);
    this.#session = session;
  }

  /** Attaches to the element; returns a function that detaches. */
  listen(element: HTMLElement): () => void {
    const session = this.#session;
    const stop = this.scrollsPageAtHome(element);
    session.grabbed = (holds) => {
      if (this.#drags === 'requested') {
        this.#drags = holds ? 'pulls' : 'turns';
        // The pointer may have moved meanwhile.
        if (holds && this.#at !== null) session.send({ kind: 'drag', x: this.#at.x, y: this.#at.y });
      } else if (holds) {
        session.send({ kind: 'release' });
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
        // Grabs only once it is a drag: a click only selects.
        if (this.#drags === 'may-pull') {
          this.#drags = 'requested';
          session.send({ kind: 'grab', ...this.#downAt });
        }
        if (this.#drags === 'pulls') session.send({ kind: 'drag', x: to.x, y: to.y });
        else if (this.#drags === 'turns') this.drag(by, event);
      },
      up: () => {
        if (this.#drags === 'pulls') session.send({ kind: 'release' });
        this.#drags = 'turns';
      },
      pinch: (factor, _middle, by) => this.pinch(factor, by),
      wheel: (factor, _place, event) => this.wheel(factor, event, element),
    });
    // A touch on the selected body pulls it, vertically too: prevents the browser from scrolling.
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

  /** Throws towards the pointer, or along the view direction. */
  throw(): void {
    this.#session.edit({ do: 'throw', name: 'thrown ball', place: this.#at }, 'objects');
  }
}
