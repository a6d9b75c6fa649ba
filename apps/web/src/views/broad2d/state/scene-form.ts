/**
 * Scene form: the requested scene and the running one.
 *
 *     draft ─apply─► pending request ──started, changed──► running, and in the address
 *       ▲                │ rejected
 *       └──── errors ◄───┘      (a link is requested again, with defaults for its invalid fields)
 *
 * The form holds a draft; only a scene that the engine accepted is `running`, and it keeps running
 * when the next draft is rejected. Requests are numbered and each response carries its number: a
 * response to an outdated request determines what runs, but not the errors of the draft.
 */
import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';

import type { FieldName, Read } from './address.ts';
import type { Catalog, FromWorker, Parameters, FieldError } from '../workers/protocol.ts';

/** Debounce of typed numbers. */
const TYPING_MS = 400;

/** A pending request, and what runs if the engine accepts it. */
export interface SceneRequest {
  requestId: number;
  /** A new world, or another technique in the same world. */
  kind: 'start' | 'change';
  scene: Parameters;
  /** The draft of this request; the form may change before the response arrives. */
  draft: Parameters | null;
  /** For a request that comes from a link. */
  link: Link | null;
}

interface Link {
  /** Fields that were rejected. */
  rejected: readonly FieldName[];
  /** Rejected fields have already been replaced by defaults. */
  triedDefaults: boolean;
  selected: number | null;
}

/** Sends requests to the engine and shows their outcome to the user. */
export interface RequestHandler {
  request(pendingRequest: SceneRequest): void;
  refused(problem: FieldError): void;
  /** An earlier error is resolved. */
  resolved(): void;
  /** The link's scene runs, except for these fields. */
  opened(rejected: readonly FieldName[]): void;
}

export type Answer = Extract<FromWorker, { kind: 'started' | 'changed' | 'refused' }>;

export class Scene {
  readonly catalog = signal<Catalog | null>(null);
  readonly draft = signal<Parameters | null>(null);
  readonly running = signal<Parameters | null>(null);
  readonly problems = signal<readonly FieldError[]>([]);
  readonly isPending: ReadonlySignal<boolean> = computed(() => this.#pendingRequest.value !== null);
  /** The current draft was rejected: another scene runs. False once it is edited. */
  readonly isRefused: ReadonlySignal<boolean> = computed(
    () => this.problems.value.length > 0 && !this.isPending.value && this.draft.value === this.#validated.value,
  );

  readonly #handler: RequestHandler;
  readonly #pendingRequest = signal<SceneRequest | null>(null);
  /** The draft that the errors refer to. */
  readonly #validated = signal<Parameters | null>(null);
  #requests = 0;
  /** The last rejected world, while the form still holds it. */
  #refused: Parameters | null = null;
  #whenAnswered: (() => void) | null = null;
  #typing: ReturnType<typeof setTimeout> | undefined;

  constructor(handler: RequestHandler) {
    this.#handler = handler;
  }

  /** Changes the form, applied at once or after the debounce. */
  edit(change: Partial<Parameters>, when: 'now' | 'typing'): void {
    if (this.draft.value === null) return;
    this.draft.value = this.#withUsedCell({ ...this.draft.value, ...change });
    clearTimeout(this.#typing);
    if (when === 'now') this.apply();
    else this.#typing = setTimeout(() => this.apply(), TYPING_MS);
  }

  /** Requests the scene of the draft, if it differs. */
  apply(): void {
    clearTimeout(this.#typing);
    const [draft, pendingRequest] = [this.draft.value, this.#pendingRequest.value];
    const expected = pendingRequest?.scene ?? this.running.value;
    if (draft === null) return;
    const changed = changedFields(draft, expected);
    // A world that was just rejected would be rejected again; its technique can still be changed.
    const isRefused = this.#refused !== null && !changedFields(draft, this.#refused).some(isOfWorld);
    if (changed.length === 0) {
      if (pendingRequest === null) this.#setProblems([], draft);
    } else if (expected !== null && pendingRequest?.kind !== 'start' && (isRefused || !changed.some(isOfWorld))) {
      const { technique, cellSize } = draft;
      if (!changed.every(isOfWorld)) this.#request('change', { ...expected, technique, cellSize });
      else if (pendingRequest === null) this.#validated.value = draft;
    } else {
      this.#request('start', draft);
    }
  }

  /** Restarts the running scene. */
  reset(): void {
    // Independent of the draft.
    if (this.running.value !== null) this.#request('start', this.running.value, null, this.#validated.value);
  }

  /** Opens the scene of a link. */
  open({ shown, invalid }: Read): void {
    clearTimeout(this.#typing);
    this.draft.value = shown.parameters;
    this.#refused = null;
    this.#request('start', shown.parameters, { rejected: invalid, triedDefaults: false, selected: shown.selected });
  }

  receive(answer: Answer): void {
    const pendingRequest = answer.requestId === this.#pendingRequest.value?.requestId ? this.#pendingRequest.value : null;
    batch(() => {
      if (answer.kind !== 'refused') this.running.value = answer.parameters;
      if (pendingRequest === null) return;
      this.#pendingRequest.value = null;
      if (answer.kind === 'refused') this.#refuse(pendingRequest, answer.problems);
      else this.#accept(pendingRequest, answer.parameters);
    });
    if (this.#pendingRequest.value === null) this.#runWaiting();
  }

  /** Runs `run` once no request is pending. */
  onceIdle(run: () => void): void {
    this.#whenAnswered = run;
    if (this.#pendingRequest.value === null) this.#runWaiting();
  }

  /** Pending requests will get no response. */
  lost(): void {
    this.#pendingRequest.value = null;
    this.#whenAnswered = null;
  }

  close(): void {
    clearTimeout(this.#typing);
    this.lost();
  }

  #request(kind: SceneRequest['kind'], scene: Parameters, link: Link | null = null, draft = this.draft.value): void {
    this.#requests += 1;
    const pendingRequest = { requestId: this.#requests, kind, scene, draft, link };
    this.#pendingRequest.value = pendingRequest;
    this.#handler.request(pendingRequest);
  }

  #accept({ link, draft: validated }: SceneRequest, running: Parameters): void {
    // A reset or another technique corrects no invalid field.
    const draft = this.draft.value;
    const isCorrected = draft === null || !changedFields(draft, running).some(isOfWorld);
    if (isCorrected) this.#refused = null;
    this.#setProblems(isCorrected ? [] : this.#problemsOfWorld(), validated);
    if (link !== null) {
      const isThere = link.selected === null || link.selected < running.objects;
      this.#handler.opened([...new Set(isThere ? link.rejected : [...link.rejected, 'selected' as const])]);
    }
  }

  #refuse(pendingRequest: SceneRequest, problems: readonly FieldError[]): void {
    const { kind, scene, link } = pendingRequest;
    const fallback = link === null ? [] : this.#fieldsToReset(scene, link, problems);
    if (link !== null && fallback.length > 0) {
      const defaults = this.catalog.value?.defaults ?? scene;
      const resolved = { ...scene, ...Object.fromEntries(fallback.map((field) => [field, defaults[field]])) };
      this.draft.value = resolved;
      this.#request('start', resolved, { ...link, rejected: [...link.rejected, ...fallback], triedDefaults: true });
      return;
    }
    const isOfThisWorld = problems.some(({ field }) => isOfWorld(field));
    if (isOfThisWorld) this.#refused = scene;
    // For a change of technique, the engine validates no other field.
    this.#setProblems(kind === 'change' ? [...this.#problemsOfWorld(), ...problems] : problems, pendingRequest.draft);
    const [first] = problems;
    if (first !== undefined) this.#handler.refused(first);
    // A technique that was chosen together with the world may suit the running world.
    const draft = this.draft.value;
    if (isOfThisWorld && draft !== null && !changedFields(draft, scene).some(isOfWorld)) this.apply();
  }

  /** For an invalid link: reset only the invalid fields if the engine names them, otherwise all. */
  #fieldsToReset(scene: Parameters, link: Link, problems: readonly FieldError[]): (keyof Parameters)[] {
    const defaults = this.catalog.value?.defaults ?? scene;
    const wrong = problems.flatMap(({ field }) => (field === 'parameters' ? [] : [field]));
    return link.triedDefaults || wrong.length < problems.length ? changedFields(scene, defaults) : wrong;
  }

  #problemsOfWorld(): readonly FieldError[] {
    return this.problems.value.filter(({ field }) => isOfWorld(field));
  }

  #setProblems(problems: readonly FieldError[], validated: Parameters | null): void {
    this.#handler.resolved();
    this.problems.value = problems;
    this.#validated.value = validated;
  }

  #runWaiting(): void {
    const run = this.#whenAnswered;
    this.#whenAnswered = null;
    run?.();
  }

  /**
   * A cell size that the form no longer shows must not stay invalid: the user could not correct it.
   */
  #withUsedCell(draft: Parameters): Parameters {
    const technique = this.catalog.value?.techniques.find(({ name }) => name === draft.technique);
    const fallback = this.running.value?.cellSize ?? this.catalog.value?.defaults.cellSize;
    const isShown = technique?.takesCell ?? true;
    return isShown || Number.isFinite(draft.cellSize) || fallback === undefined ? draft : { ...draft, cellSize: fallback };
  }
}

/**
 * Whether a change of the field requires a new world; the technique can change in a running one.
 */
function isOfWorld(field: FieldError['field']): boolean {
  return field !== 'technique' && field !== 'cellSize';
}

function changedFields(one: Parameters, other: Parameters | null): (keyof Parameters)[] {
  const fields = Object.keys(one) as (keyof Parameters)[];
  return fields.filter((field) => !Object.is(one[field], other?.[field]));
}
