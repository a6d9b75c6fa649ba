/**
 * What does the reader want to know of the mesh?
 *
 * Into which structure one looks, and how deep; which ray is cast, between which points one looks, and what a click does. Who
 * changes something that is not seen at once is told.
 */
import { batch, signal } from '@preact/signals';

import type { Vector } from '../../shared/vector.ts';
import { say } from '../../shell/status.tsx';
import { type Shown as InLink, USUAL } from './address.ts';
import type { Click, Ray, Technique } from './protocol.ts';
import type { Usual } from './usual.ts';
import { wordsRays } from './words.ts';

export class Chosen {
  readonly technique = signal<Technique>(USUAL.technique);
  readonly drawsBoxes = signal(false);
  readonly depth = signal(3);
  readonly click = signal<Click>(USUAL.click);
  readonly ray = signal<Ray | null>(null);
  readonly ends = signal<[Vector, Vector] | null>(null);
  readonly drawsSight = signal(false);
  /** The first of two points, which waits for the second. */
  readonly placed = signal<Vector | null>(null);
  /** How far a link follows the ray that it tells; none for all of it, and for every other ray. */
  step: number | null = null;

  /** Another mesh: what a link says of it, or what there is to be seen of any. */
  begin(shown: InLink | null, usual: Usual): void {
    batch(() => {
      if (shown !== null) {
        this.technique.value = shown.technique;
        this.drawsBoxes.value = shown.boxes !== null;
        this.depth.value = shown.boxes ?? this.depth.value;
        this.click.value = shown.click;
      }
      this.placed.value = null;
      this.ray.value = shown?.ray ?? usual.ray;
      this.ends.value = shown?.sight ?? usual.ends;
      this.drawsSight.value = shown?.sight != null;
      this.step = shown?.step ?? null;
    });
  }

  chooseTechnique(technique: Technique): void {
    this.step = null;
    this.technique.value = technique;
    say(() => wordsRays(`structure.${technique}-name`));
  }

  chooseClick(click: Click): void {
    batch(() => {
      this.click.value = click;
      this.placed.value = null;
    });
    say(() => wordsRays(`stage.click.${click}-about`));
  }

  drawBoxes(on: boolean): void {
    this.drawsBoxes.value = on;
    say(() => wordsRays(on ? 'said.boxes-on' : 'said.boxes-off'));
  }

  setRay(ray: Ray): void {
    this.step = null;
    this.ray.value = ray;
  }

  setEnd(which: 0 | 1, end: Vector): void {
    const ends: [Vector, Vector] = [...(this.ends.value ?? [end, end])];
    ends[which] = end;
    this.setEnds(ends);
  }

  setEnds(ends: [Vector, Vector]): void {
    batch(() => {
      this.ends.value = ends;
      this.drawsSight.value = true;
    });
  }

  /** The first of two points waits for the second, and is meant no more when that is there. The first, if this is the second. */
  place(point: Vector): Vector | null {
    const first = this.placed.value;
    this.placed.value = first === null ? point : null;
    if (first === null) say(() => wordsRays('said.placed'));
    return first;
  }

  /** A point that was placed first is meant no more. */
  forgetPlaced(): void {
    this.placed.value = null;
  }
}
