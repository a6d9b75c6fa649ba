/**
 * Which heat maps are shown, and of which view?
 *
 * Those of a mesh of usual size are made by themselves, once; all others when somebody asks. They stay when the view moves,
 * and say that they are of another one.
 */
import { computed, type ReadonlySignal, signal } from '@preact/signals';

import { say } from '../../shell/status.tsx';
import { exactList, rounded, unitFor } from './digits.ts';
import type { Facts, FromBench, Heat, HeatAsked, Levels, Metric, Seen, ToBench } from './protocol.ts';
import { FOV } from '../../shared/stage/orbit-camera.ts';
import { TECHNIQUES } from './protocol.ts';
import { wordsRays } from './words.ts';

/** Pixels from left to right. */
const WIDTH = 240;
/** Triangles that the study's octree tests for all pixels together, at most, before anybody asks: some seconds. */
const MOST_UNASKED = 6e8;

export class Heating {
  readonly metric = signal<Metric>('tests');
  readonly heat = signal<Heat | null>(null);
  readonly state = signal<'none' | 'running' | 'done' | 'stopped'>('none');
  readonly problem = signal<string | null>(null);
  readonly #asked = signal<HeatAsked | null>(null);
  /** What would be asked now. */
  readonly #now = computed((): HeatAsked | null => {
    const [facts, seen] = [this.#facts.value, this.#seen.value];
    if (facts === null || seen === null) return null;
    const unit = unitFor(Math.hypot(...facts.max.map((greatest, axis) => greatest - facts.min[axis]!)) || 1);
    const height = Math.max(1, Math.round(WIDTH / Math.max(0.2, seen.aspect)));
    return { eye: rounded(seen.eye, unit), at: rounded(seen.at, unit), width: WIDTH, height, metric: this.metric.value };
  });
  /** The view or what is counted is another by now. */
  readonly isStale = computed(() => {
    const [asked, now] = [this.#asked.value, this.#now.value];
    return asked !== null && now !== null && JSON.stringify(asked) !== JSON.stringify(now);
  });
  readonly #post: (message: ToBench) => void;
  readonly #facts: ReadonlySignal<Facts | null>;
  readonly #seen: ReadonlySignal<Seen | null>;
  readonly #levels: ReadonlySignal<Levels | null>;
  #ask = 0;
  /** All that is built by itself is. */
  #isReady = false;
  #isUntouched = true;
  /** Somebody waits for it. */
  #wasAsked = false;

  constructor(
    post: (message: ToBench) => void,
    facts: ReadonlySignal<Facts | null>,
    seen: ReadonlySignal<Seen | null>,
    levels: ReadonlySignal<Levels | null>,
  ) {
    this.#levels = levels;
    this.#post = post;
    this.#facts = facts;
    this.#seen = seen;
  }

  /** There is another mesh. */
  forget(): void {
    this.#ask += 1;
    this.heat.value = null;
    this.state.value = 'none';
    this.problem.value = null;
    this.#asked.value = null;
    this.#isUntouched = true;
    this.#isReady = false;
  }

  /** All is built, or the view has come to rest: whichever is the later begins it. */
  beginUnasked(isBuilt = false): void {
    this.#isReady ||= isBuilt;
    const [now, levels] = [this.#now.value, this.#levels.value];
    if (!this.#isReady || !this.#isUntouched || now === null || levels === null) return;
    // What lies in the root is tested for every pixel, and of the rest about a hundredth.
    const all = levels.triangles.reduce((sum, count) => sum + count, 0);
    const tested = (levels.triangles[0] ?? 0) + all / 100;
    if (tested * now.width * now.height <= MOST_UNASKED) this.begin(false);
  }

  begin(wasAsked = true): void {
    const asked = this.#now.value;
    if (asked === null) return;
    this.#isUntouched = false;
    this.#wasAsked = wasAsked;
    this.#ask += 1;
    this.#asked.value = asked;
    this.state.value = 'running';
    this.problem.value = null;
    this.#post({ kind: 'heat', ask: this.#ask, asked });
  }

  stop(): void {
    this.#post({ kind: 'stop-heat' });
    this.#ask += 1;
    this.state.value = 'stopped';
    say(() => wordsRays('said.heat-stopped'));
  }

  toggle(): void {
    if (this.state.value === 'running') this.stop();
    else this.begin();
  }

  chooseMetric(metric: Metric): void {
    this.metric.value = metric;
    if (this.state.value !== 'none') this.begin();
  }

  hear(said: Extract<FromBench, { kind: 'heat' | 'heat-refused' }>): void {
    if (said.ask !== this.#ask) return;
    if (said.kind === 'heat-refused') {
      this.state.value = 'none';
      this.problem.value = said.what;
      return;
    }
    this.heat.value = said.heat;
    if (said.heat.progress < 1) return;
    this.state.value = 'done';
    if (this.#wasAsked) say(() => wordsRays('said.heat-done'));
  }

  /** What makes the same numbers on the command line. */
  command(file: string): string | null {
    const asked = this.#asked.value;
    if (asked === null) return null;
    const { eye, at, width, height, metric } = asked;
    return `embate heatmap ${file} --structure ${TECHNIQUES.join(',')} --metric ${metric} --size ${width}x${height} --eye=${exactList(eye)} --at=${exactList(at)} --fov ${FOV} --out heat.csv`;
  }
}
