/**
 * What does the bench know of the mesh?
 *
 * It is asked whenever what an answer depends on changes, and only the newest answer counts.
 */
import { batch, signal } from '@preact/signals';

import type { Chosen } from './chosen.ts';
import type { Cast, FromBench, Levels, Sight, Stage, Structure, Technique, ToBench, Tried } from './protocol.ts';
import { Walked } from './walk.ts';

type Built = Extract<FromBench, { kind: 'built' }>;
type CastTold = Extract<FromBench, { kind: 'cast' }>;

export class Answers {
  /** What the bench is at. */
  readonly working = signal<Stage | null>(null);
  readonly structures = signal<Partial<Record<Technique, Structure>>>({});
  readonly leftOut = signal<Technique | null>(null);
  readonly levels = signal<Levels | null>(null);
  readonly tried = signal<Tried | null>(null);
  readonly cast = signal<Cast | null>(null);
  readonly sight = signal<Sight | null>(null);
  readonly walked: Walked;
  readonly #chosen: Chosen;
  readonly #post: (message: ToBench) => void;
  #asks = 0;
  #castAsk = 0;
  #sightAsk = 0;
  /** Which ray in which structure was asked for last, and which is followed. */
  #castKey = '';
  #walkKey = '';

  constructor(chosen: Chosen, post: (message: ToBench) => void, stepped: (step: number) => void) {
    this.#chosen = chosen;
    this.#post = post;
    this.walked = new Walked(stepped);
  }

  /** Another mesh, of which nothing is known yet. */
  forget(): void {
    batch(() => {
      this.structures.value = {};
      this.leftOut.value = null;
      this.levels.value = null;
      this.tried.value = null;
      this.cast.value = null;
      this.sight.value = null;
      this.walked.take(null, null);
      this.working.value = 'bvh';
    });
    this.#walkKey = '';
  }

  /** To be called whenever something of it changes, as the two below. */
  askCast(): void {
    const [ray, technique] = [this.#chosen.ray.value, this.#chosen.technique.value];
    if (ray === null || !this.#isAnyBuilt()) return;
    this.#castAsk = this.#number();
    this.#castKey = JSON.stringify([technique, ray]);
    this.#post({ kind: 'cast', ask: this.#castAsk, ray, technique });
  }

  /** What is drawn of them goes from the bench to the stage. */
  askBoxes(): void {
    const { drawsBoxes, depth, technique } = this.#chosen;
    const wanted = drawsBoxes.value ? depth.value : -1;
    if (this.structures.value[technique.value] === undefined) return;
    this.#post({ kind: 'boxes', technique: technique.value, depth: wanted });
  }

  askSight(): void {
    const ends = this.#chosen.ends.value;
    if (ends === null || !this.#isAnyBuilt()) return;
    this.#sightAsk = this.#number();
    this.#post({ kind: 'sight', ask: this.#sightAsk, ends });
  }

  hear(said: FromBench): void {
    switch (said.kind) {
      case 'working':
        this.working.value = said.stage;
        break;
      case 'built':
        this.#built(said);
        break;
      case 'left-out':
        this.leftOut.value = said.technique;
        break;
      case 'tried':
        this.tried.value = said.tried;
        break;
      case 'cast':
        if (said.ask === this.#castAsk) this.#hearCast(said);
        break;
      case 'sight':
        if (said.ask === this.#sightAsk) this.sight.value = said.sight;
        break;
      default:
    }
  }

  #built({ structure, levels }: Built): void {
    batch(() => {
      this.structures.value = { ...this.structures.value, [structure.name]: structure };
      this.levels.value = levels ?? this.levels.value;
      if (structure.name === this.leftOut.value) this.leftOut.value = null;
    });
  }

  #hearCast({ cast, walk }: CastTold): void {
    batch(() => {
      this.cast.value = cast;
      // Asked again for the sake of another structure, it is the walk that is being followed.
      if (this.#castKey === this.#walkKey && walk.rows.length === this.walked.walk.value?.rows.length) return;
      this.walked.take(walk, this.#chosen.step);
      this.#walkKey = this.#castKey;
      if (walk.rows.length > 0) this.#chosen.step = null;
    });
  }

  #isAnyBuilt(): boolean {
    return Object.keys(this.structures.value).length > 0;
  }

  #number(): number {
    this.#asks += 1;
    return this.#asks;
  }
}
