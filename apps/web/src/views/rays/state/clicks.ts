/**
 * Clicks on the stage.
 *
 * The stage returns the ray through the clicked pixel, the inspector its hit; depending on the
 * click mode, the result becomes the ray, or one of two points.
 */
import { batch, type ReadonlySignal } from '@preact/signals';

import type { Vector } from '../../../shared/vector.ts';
import type { InspectorSelection } from './inspector-selection.ts';
import { rounded } from './float-text.ts';
import type { FromPage, Place, Ray, ToInspector } from '../workers/protocol.ts';
import { directionBetween } from './default-ray.ts';

/**
 * Offset of a point placed on a surface, relative to the size of the mesh: on the surface it would
 * be blocked by it.
 */
const ABOVE = 0.004;
/** Resolution of a unit direction. */
const TURN_UNIT = 1e-4;

interface SessionParts {
  selection: InspectorSelection;
  /** Size of the mesh. */
  size: ReadonlySignal<number>;
  unit: ReadonlySignal<number>;
  send: (message: FromPage) => void;
  post: (message: ToInspector) => void;
}

export class Clicks {
  readonly #session: SessionParts;
  #requests = 0;
  readonly #picks = new Map<number, (place: Place | null) => void>();
  readonly #throughs = new Map<number, (ray: Ray, beside: Vector) => void>();

  constructor(session: SessionParts) {
    this.#session = session;
  }

  /** Handles a click at this place; null: at the center of the view. */
  async at(place: { x: number; y: number } | null): Promise<void> {
    const [ray, beside] = await this.#through(place);
    const found = await this.#pick(ray);
    const { selection } = this.#session;
    const [unit, size] = [this.#session.unit.value, this.#session.size.value];
    const point = rounded(found?.point ?? beside, unit);
    const above = rounded(lifted(found, beside, ABOVE * size), unit);
    switch (selection.click.value) {
      case 'aim': {
        const origin = selection.ray.value?.origin ?? above;
        selection.setRay({ origin, direction: directionBetween(origin, point, unit) });
        break;
      }
      case 'eye':
        selection.setRay({ origin: rounded(ray.origin, unit), direction: rounded(ray.direction, TURN_UNIT) });
        break;
      case 'points': {
        batch(() => {
          const origin = selection.place(above);
          if (origin !== null) selection.setRay({ origin, direction: directionBetween(origin, point, unit) });
        });
        break;
      }
      case 'sight': {
        batch(() => {
          const first = selection.place(above);
          if (first !== null) selection.setEnds([first, above]);
        });
        break;
      }
    }
  }

  receiveThrough(requestId: number, ray: Ray, beside: Vector): void {
    this.#throughs.get(requestId)?.(ray, beside);
    this.#throughs.delete(requestId);
  }

  receivePick(requestId: number, place: Place | null): void {
    this.#picks.get(requestId)?.(place);
    this.#picks.delete(requestId);
  }

  /** The inspector is gone: pending requests get no response. */
  lost(): void {
    this.#picks.clear();
  }

  #through(place: { x: number; y: number } | null): Promise<[Ray, Vector]> {
    const requestId = this.#number();
    this.#session.send({ kind: 'through', requestId, place });
    return new Promise((resolve) => this.#throughs.set(requestId, (ray, beside) => resolve([ray, beside])));
  }

  #pick(ray: Ray): Promise<Place | null> {
    const requestId = this.#number();
    this.#session.post({ kind: 'pick', requestId, ray });
    return new Promise((resolve) => this.#picks.set(requestId, resolve));
  }

  #number(): number {
    this.#requests += 1;
    return this.#requests;
  }
}

/** The point, moved off the surface towards the viewer. */
function lifted(found: Place | null, beside: Vector, by: number): Vector {
  return found === null ? beside : (found.point.map((part, axis) => part + by * found.normal[axis]!) as Vector);
}
