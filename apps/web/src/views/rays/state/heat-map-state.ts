/**
 * Heat maps: which are shown, and of which view.
 *
 * For meshes of moderate size they are computed automatically, once; otherwise on request. They
 * stay when the view moves, marked as stale.
 */
import { computed, type ReadonlySignal, signal } from '@preact/signals';

import { announce } from '../../../shell/status.tsx';
import { f32List, rounded, unitFor } from './float-text.ts';
import type { MeshFacts, FromInspector, Heat, HeatMapRequest, Levels, Metric, Seen, ToInspector } from '../workers/protocol.ts';
import { FOV } from '../../../shared/webgl/orbit-camera.ts';
import { tRays } from '../i18n/translate.ts';

/** Width in pixels. */
const WIDTH = 240;
/**
 * Limit of automatic computation: triangle tests of the study's octree over all pixels, some
 * seconds.
 */
const MAX_AUTOMATIC = 6e8;

export class HeatMapState {
  readonly metric = signal<Metric>('tests');
  readonly heat = signal<Heat | null>(null);
  readonly state = signal<'none' | 'running' | 'done' | 'stopped'>('none');
  readonly problem = signal<string | null>(null);
  /** The request of the shown heat maps. */
  readonly request = signal<HeatMapRequest | null>(null);
  /** The request for the current view. */
  readonly #now = computed((): HeatMapRequest | null => {
    const [facts, seen] = [this.#facts.value, this.#seen.value];
    if (facts === null || seen === null) return null;
    const unit = unitFor(Math.hypot(...facts.max.map((greatest, axis) => greatest - facts.min[axis]!)) || 1);
    const height = Math.max(1, Math.round(WIDTH / Math.max(0.2, seen.aspect)));
    return { eye: rounded(seen.eye, unit), at: rounded(seen.at, unit), width: WIDTH, height, metric: this.metric.value };
  });
  /** The view or the metric has changed since. */
  readonly isStale = computed(() => {
    const [request, now] = [this.request.value, this.#now.value];
    return request !== null && now !== null && JSON.stringify(request) !== JSON.stringify(now);
  });
  readonly #post: (message: ToInspector) => void;
  readonly #facts: ReadonlySignal<MeshFacts | null>;
  readonly #seen: ReadonlySignal<Seen | null>;
  readonly #levels: ReadonlySignal<Levels | null>;
  #requestId = 0;
  /** All automatic builds are done. */
  #isReady = false;
  #isUntouched = true;
  /** The user has requested it. */
  #isByUser = false;

  constructor(
    post: (message: ToInspector) => void,
    facts: ReadonlySignal<MeshFacts | null>,
    seen: ReadonlySignal<Seen | null>,
    levels: ReadonlySignal<Levels | null>,
  ) {
    this.#levels = levels;
    this.#post = post;
    this.#facts = facts;
    this.#seen = seen;
  }

  /** Another mesh. */
  forget(): void {
    this.#requestId += 1;
    this.heat.value = null;
    this.state.value = 'none';
    this.problem.value = null;
    this.request.value = null;
    this.#isUntouched = true;
    this.#isReady = false;
  }

  /** Starts the automatic computation once both the builds are done and the view is at rest. */
  startAutomatic(isBuilt = false): void {
    this.#isReady ||= isBuilt;
    const [now, levels] = [this.#now.value, this.#levels.value];
    if (!this.#isReady || !this.#isUntouched || now === null || levels === null) return;
    // Triangles in the root are tested for every pixel, of the others about a hundredth.
    const all = levels.triangles.reduce((sum, count) => sum + count, 0);
    const tested = (levels.triangles[0] ?? 0) + all / 100;
    if (tested * now.width * now.height <= MAX_AUTOMATIC) this.begin(false);
  }

  begin(isByUser = true): void {
    const request = this.#now.value;
    if (request === null) return;
    this.#isUntouched = false;
    this.#isByUser = isByUser;
    this.#requestId += 1;
    this.request.value = request;
    this.state.value = 'running';
    this.problem.value = null;
    this.#post({ kind: 'heat', requestId: this.#requestId, request });
  }

  stop(): void {
    this.#post({ kind: 'stop-heat' });
    this.#requestId += 1;
    this.state.value = 'stopped';
    announce(() => tRays('announce.heat-stopped'));
  }

  toggle(): void {
    if (this.state.value === 'running') this.stop();
    else this.begin();
  }

  chooseMetric(metric: Metric): void {
    this.metric.value = metric;
    if (this.state.value !== 'none') this.begin();
  }

  receive(reply: Extract<FromInspector, { kind: 'heat' | 'heat-refused' }>): void {
    if (reply.requestId !== this.#requestId) return;
    if (reply.kind === 'heat-refused') {
      this.state.value = 'none';
      this.problem.value = reply.what;
      return;
    }
    this.heat.value = reply.heat;
    if (reply.heat.progress < 1) return;
    this.state.value = 'done';
    if (this.#isByUser) announce(() => tRays('announce.heat-done'));
  }

  /** Options of the equivalent `embate heatmap`. */
  commandOptions(): string | null {
    const [request, heat] = [this.request.value, this.heat.value];
    if (request === null || heat === null) return null;
    const structures = heat.maps.map(({ name }) => name).join(',');
    const { eye, at, width, height, metric } = request;
    return `--structure ${structures} --metric ${metric} --size ${width}x${height} --eye=${f32List(eye)} --at=${f32List(at)} --fov ${FOV} --out heat.csv`;
  }
}
