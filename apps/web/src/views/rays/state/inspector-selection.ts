/**
 * Inputs of the inspector: structure and depth, ray, points of the line of sight, click mode.
 *
 * Changes that are not visible at once are announced.
 */
import { batch, computed, signal } from '@preact/signals';

import type { Vector } from '../../../shared/vector.ts';
import { announce } from '../../../shell/status.tsx';
import { type Shown as InLink, DEFAULTS } from './address.ts';
import type { Click, Ray, Technique } from '../workers/protocol.ts';
import { tRays } from '../i18n/translate.ts';

export class InspectorSelection {
  readonly technique = signal<Technique>(DEFAULTS.technique);
  readonly drawsBoxes = signal(false);
  readonly depth = signal(3);
  readonly click = signal<Click>(DEFAULTS.click);
  readonly ray = signal<Ray | null>(null);
  readonly ends = signal<[Vector, Vector] | null>(null);
  readonly drawsSight = signal(false);
  /** The user or a link has chosen the points: the default points are no question of the user's. */
  readonly hasSight = signal(false);
  /** The first of two points, until the second is placed. */
  readonly placed = signal<Vector | null>(null);
  /** The first end of a line of sight is placed, the second is not. */
  readonly isPlacingSight = computed(() => this.click.value === 'sight' && this.placed.value !== null);
  /** Playback step of a link's ray; null for the last step, and for every other ray. */
  step: number | null = null;

  /** Another mesh: the state of a link, or the defaults. */
  begin(shown: InLink | null, defaults: { ray: Ray; ends: [Vector, Vector] }): void {
    batch(() => {
      if (shown !== null) {
        this.technique.value = shown.technique;
        this.drawsBoxes.value = shown.boxes !== null;
        this.depth.value = shown.boxes ?? this.depth.value;
        this.click.value = shown.click;
      }
      this.placed.value = null;
      this.ray.value = shown?.ray ?? defaults.ray;
      this.ends.value = shown?.sight ?? defaults.ends;
      this.drawsSight.value = shown?.sight != null;
      this.hasSight.value = shown?.sight != null;
      this.step = shown?.step ?? null;
    });
  }

  chooseTechnique(technique: Technique): void {
    this.step = null;
    this.technique.value = technique;
    announce(() => tRays(`structure.${technique}-name`));
  }

  chooseClick(click: Click): void {
    batch(() => {
      this.click.value = click;
      this.placed.value = null;
    });
    announce(() => tRays(`stage.click.${click}-about`));
  }

  drawBoxes(on: boolean): void {
    this.drawsBoxes.value = on;
    announce(() => tRays(on ? 'announce.boxes-on' : 'announce.boxes-off'));
  }

  setRay(ray: Ray): void {
    this.step = null;
    this.ray.value = ray;
  }

  drawSight(on: boolean): void {
    batch(() => {
      this.drawsSight.value = on;
      this.hasSight.value ||= on;
    });
  }

  /** Ends a pending placement: its point would replace the one that is set. */
  setEnd(which: 0 | 1, end: Vector): void {
    this.placed.value = null;
    const ends: [Vector, Vector] = [...(this.ends.value ?? [end, end])];
    ends[which] = end;
    this.setEnds(ends);
  }

  setEnds(ends: [Vector, Vector]): void {
    batch(() => {
      this.ends.value = ends;
      this.drawSight(true);
    });
  }

  /** Places a point. Returns the first point if this is the second, otherwise null. */
  place(point: Vector): Vector | null {
    const first = this.placed.value;
    this.placed.value = first === null ? point : null;
    if (first === null) announce(() => tRays('announce.placed'));
    return first;
  }

  /** Drops the first of two points. */
  dropPlaced(): void {
    this.placed.value = null;
  }
}
