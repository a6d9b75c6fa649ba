/**
 * Results of the inspector.
 *
 * Requested whenever an input changes; only the response to the latest request counts.
 */
import { batch, signal } from '@preact/signals';

import type { InspectorSelection } from './inspector-selection.ts';
import type { Cast, FromInspector, Levels, Sight, Stage, Structure, Technique, ToInspector, Tried } from '../workers/protocol.ts';
import { TraversalPlayback } from './traversal-playback.ts';

type Built = Extract<FromInspector, { kind: 'built' }>;
type CastJson = Extract<FromInspector, { kind: 'cast' }>;

export class InspectorState {
  /** Current task of the inspector. */
  readonly working = signal<Stage | null>(null);
  readonly structures = signal<Partial<Record<Technique, Structure>>>({});
  readonly leftOut = signal<readonly Technique[]>([]);
  readonly levels = signal<Levels | null>(null);
  readonly tried = signal<Tried | null>(null);
  readonly cast = signal<Cast | null>(null);
  readonly sight = signal<Sight | null>(null);
  readonly playback: TraversalPlayback;
  readonly #selection: InspectorSelection;
  readonly #post: (message: ToInspector) => void;
  #requests = 0;
  #castRequest = 0;
  #sightRequest = 0;
  /** Keys of the last requested cast, and of the displayed traversal. */
  #castKey = '';
  #traversalKey = '';

  constructor(selection: InspectorSelection, post: (message: ToInspector) => void, stepped: (step: number) => void) {
    this.#selection = selection;
    this.#post = post;
    this.playback = new TraversalPlayback(stepped);
  }

  /** Another mesh: drops all results. */
  forget(): void {
    batch(() => {
      this.structures.value = {};
      this.leftOut.value = [];
      this.levels.value = null;
      this.tried.value = null;
      this.cast.value = null;
      this.sight.value = null;
      this.playback.take(null, null);
      this.working.value = 'bvh';
    });
    this.#traversalKey = '';
  }

  /** Called whenever one of its inputs changes, like the two below. */
  requestCast(): void {
    const [ray, technique] = [this.#selection.ray.value, this.#selection.technique.value];
    if (ray === null || !this.#isAnyBuilt()) return;
    this.#castRequest = this.#number();
    this.#castKey = JSON.stringify([technique, ray]);
    this.#post({ kind: 'cast', requestId: this.#castRequest, ray, technique });
  }

  /** The inspector sends the boxes directly to the stage. */
  requestBoxes(): void {
    const { drawsBoxes, depth, technique } = this.#selection;
    const wanted = drawsBoxes.value ? depth.value : -1;
    if (this.structures.value[technique.value] === undefined) return;
    this.#post({ kind: 'boxes', technique: technique.value, depth: wanted });
  }

  requestSight(): void {
    const ends = this.#selection.ends.value;
    if (ends === null || !this.#isAnyBuilt()) return;
    this.#sightRequest = this.#number();
    this.#post({ kind: 'sight', requestId: this.#sightRequest, ends });
  }

  receive(reply: FromInspector): void {
    switch (reply.kind) {
      case 'working':
        this.working.value = reply.stage;
        break;
      case 'built':
        this.#built(reply);
        break;
      case 'left-out':
        this.leftOut.value = reply.techniques;
        break;
      case 'tried':
        this.tried.value = reply.tried;
        break;
      case 'cast':
        if (reply.requestId === this.#castRequest) this.#receiveCast(reply);
        break;
      case 'sight':
        if (reply.requestId === this.#sightRequest) this.sight.value = reply.sight;
        break;
      default:
    }
  }

  #built({ structure, levels }: Built): void {
    batch(() => {
      this.structures.value = { ...this.structures.value, [structure.name]: structure };
      this.levels.value = levels ?? this.levels.value;
      this.leftOut.value = this.leftOut.value.filter((technique) => technique !== structure.name);
    });
  }

  #receiveCast({ cast, traversal }: CastJson): void {
    batch(() => {
      this.cast.value = cast;
      // A repeated cast for another structure's sake must not restart the current playback.
      if (this.#castKey === this.#traversalKey && traversal.rows.length === this.playback.traversal.value?.rows.length) return;
      this.playback.take(traversal, this.#selection.step);
      this.#traversalKey = this.#castKey;
      if (traversal.rows.length > 0) this.#selection.step = null;
    });
  }

  #isAnyBuilt(): boolean {
    return Object.keys(this.structures.value).length > 0;
  }

  #number(): number {
    this.#requests += 1;
    return this.#requests;
  }
}
