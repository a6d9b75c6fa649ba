/**
 * What does a click on the stage ask?
 *
 * The stage says which ray goes through it, the bench what that meets; by what the reader chose it becomes a ray, or one of
 * two points.
 */
import { batch, type ReadonlySignal } from '@preact/signals';

import type { Vector } from '../../shared/vector.ts';
import type { Chosen } from './chosen.ts';
import { rounded } from './digits.ts';
import type { FromPage, Place, Ray, ToBench } from './protocol.ts';
import { wayFrom } from './usual.ts';

/** A point that is placed on a surface stands so far above it, as a share of the mesh: on it, it would see nothing. */
const ABOVE = 0.004;
/** Digits after the point of a direction of length 1. */
const TURN_UNIT = 1e-4;

interface Among {
  chosen: Chosen;
  /** Of the mesh. */
  size: ReadonlySignal<number>;
  unit: ReadonlySignal<number>;
  send: (message: FromPage) => void;
  post: (message: ToBench) => void;
}

export class Clicks {
  readonly #among: Among;
  #asks = 0;
  readonly #picks = new Map<number, (place: Place | null) => void>();
  readonly #throughs = new Map<number, (ray: Ray, beside: Vector) => void>();

  constructor(among: Among) {
    this.#among = among;
  }

  /** What was clicked, or what is in the middle of the view. */
  async at(place: { x: number; y: number } | null): Promise<void> {
    const [ray, beside] = await this.#through(place);
    const found = await this.#pick(ray);
    const { chosen } = this.#among;
    const [unit, size] = [this.#among.unit.value, this.#among.size.value];
    const point = rounded(found?.point ?? beside, unit);
    const above = rounded(lifted(found, beside, ABOVE * size), unit);
    switch (chosen.click.value) {
      case 'aim': {
        const origin = chosen.ray.value?.origin ?? above;
        chosen.setRay({ origin, direction: wayFrom(origin, point, unit) });
        break;
      }
      case 'eye':
        chosen.setRay({ origin: rounded(ray.origin, unit), direction: rounded(ray.direction, TURN_UNIT) });
        break;
      case 'points': {
        batch(() => {
          const origin = chosen.place(above);
          if (origin !== null) chosen.setRay({ origin, direction: wayFrom(origin, point, unit) });
        });
        break;
      }
      case 'sight': {
        batch(() => {
          const first = chosen.place(above);
          if (first !== null) chosen.setEnds([first, above]);
        });
        break;
      }
    }
  }

  hearThrough(ask: number, ray: Ray, beside: Vector): void {
    this.#throughs.get(ask)?.(ray, beside);
    this.#throughs.delete(ask);
  }

  hearPicked(ask: number, place: Place | null): void {
    this.#picks.get(ask)?.(place);
    this.#picks.delete(ask);
  }

  /** The bench is gone, and answers nothing any more. */
  lost(): void {
    this.#picks.clear();
  }

  #through(place: { x: number; y: number } | null): Promise<[Ray, Vector]> {
    const ask = this.#number();
    this.#among.send({ kind: 'through', ask, place });
    return new Promise((resolve) => this.#throughs.set(ask, (ray, beside) => resolve([ray, beside])));
  }

  #pick(ray: Ray): Promise<Place | null> {
    const ask = this.#number();
    this.#among.post({ kind: 'pick', ask, ray });
    return new Promise((resolve) => this.#picks.set(ask, resolve));
  }

  #number(): number {
    this.#asks += 1;
    return this.#asks;
  }
}

/** A little above the surface, on the side that is seen. */
function lifted(found: Place | null, beside: Vector, by: number): Vector {
  return found === null ? beside : (found.point.map((part, axis) => part + by * found.normal[axis]!) as Vector);
}
