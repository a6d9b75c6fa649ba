/**
 * Experiments: progress and results.
 *
 * Two experiments of Gonçales et al. 2016, listed by the engine, and `compare`: every technique on
 * the present scene. Each keeps its rows until it is run again, so that the user can switch between
 * them.
 */
import { computed, signal } from '@preact/signals';

import { localized } from '../../../../shared/i18n/translate.ts';
import { t2d } from '../../i18n/translate.ts';
import { announce, showToast } from '../../../../shell/status.tsx';
import type { Choice, Shown } from '../address.ts';
import { defaultCellSizes } from './default-cell-size.ts';
import { scalingExperiment } from './scaling.ts';
import { problemText } from '../form-errors.ts';
import { framesOf, TRIAL_FRAMES } from '../../workers/capacity.ts';
import { type Advice, type Experiment, type ExperimentCase, type FromWorker, MEAN_FRAMES, type Measured, type Parameters } from '../../workers/protocol.ts';
import type { Session } from '../session.ts';

/** Frame rates that the study calls real time. */
export const CAPACITY_FPS = [60, 30] as const;
/** First number of objects of a search: one of those of experiment 2. */
const CAPACITY_START = 500;

export interface Results {
  rows: readonly Measured[];
  seed: number;
  frames: number;
  /** The measured scene, if it is not one of the engine's list. */
  scene: Parameters | null;
  state: 'running' | 'finished' | 'cancelled';
  /** Messages of the cases that the engine rejected. */
  refused: readonly (() => string)[];
  advice: Advice | null;
}

export interface Progress {
  choice: Choice;
  /** In frames, over all cases. */
  done: number;
  of: number;
  now: Parameters | null;
  /** Remaining time of the present case; null before its first frame. */
  leftMs: number | null;
}

export class Experiments {
  readonly choice = signal<Choice>('compare');
  /** As typed; the address holds the last valid value. */
  readonly frames = signal(MEAN_FRAMES);
  readonly validFrames = signal(MEAN_FRAMES);
  /** Null means all techniques of the experiment. */
  readonly techniques = signal<readonly string[] | null>(null);
  readonly progress = signal<Progress | null>(null);
  readonly #results = signal<ReadonlyMap<Choice, Results>>(new Map());
  readonly #session: Session;
  /** Waits for the response to an earlier request. */
  #waits = false;
  /** The results that the current run will replace. */
  #earlier: Results | undefined;
  #id = 0;

  constructor(session: Session) {
    this.#session = session;
  }

  /** The selected experiment of the engine's list, or of the user's own world; undefined for the others. */
  readonly experiment = computed((): Experiment | undefined => {
    const { catalog, running, runningTechnique } = this.#session;
    const [list, scene] = [catalog.value, running.value];
    if (this.choice.value !== 'scaling') return list?.experiments.find(({ number }) => this.choice.value === `experiment-${number}`);
    return list === null || scene === null ? undefined : scalingExperiment(list, scene, runningTechnique.value);
  });

  /** The selected experiment, or the one whose worlds the search for the capacity uses. */
  readonly #source = computed(() =>
    this.choice.value === 'capacity'
      ? this.#session.catalog.value?.experiments.find(({ varies }) => varies === 'objects')
      : this.experiment.value,
  );

  /** Techniques that the selected experiment supports. */
  readonly offered = computed(() => {
    const all = this.#session.catalog.value?.techniques ?? [];
    const own = this.#source.value?.techniques;
    return own === undefined ? all : all.filter(({ name }) => own.includes(name));
  });

  readonly chosen = computed(() => {
    const wanted = this.techniques.value;
    return this.offered.value.filter(({ name }) => wanted === null || wanted.includes(name));
  });

  readonly results = computed(() => this.#results.value.get(this.choice.value) ?? null);

  readonly cases = computed((): ExperimentCase[] => {
    const { catalog, running } = this.#session;
    const [scene, frames] = [running.value, this.frames.value];
    if (catalog.value === null || scene === null) {
      return [];
    }
    const names = this.chosen.value.map(({ name }) => name);
    const experiment = this.#source.value;
    if (experiment !== undefined) {
      const own = experiment.cases.filter(({ technique }) => names.includes(technique));
      if (this.choice.value === 'capacity') {
        const first = own.filter(({ objects }) => objects === CAPACITY_START);
        const at = (fps: number): ExperimentCase[] =>
          first.map((each) => ({ parameters: { ...each, seed: scene.seed }, frames: TRIAL_FRAMES, fps }));
        return CAPACITY_FPS.flatMap(at);
      }
      return own.map((each) => ({ parameters: { ...each, seed: scene.seed }, frames }));
    }
    const cellOf = defaultCellSizes(scene, this.#session.runningTechnique.value);
    return this.chosen.value.map((technique) => {
      const parameters = { ...scene, technique: technique.name, cellSize: cellOf(technique) };
      return { parameters, frames };
    });
  });

  readonly framesProblem = computed(() => {
    const [min, max] = this.#session.catalog.value?.limits.frames ?? [1, Infinity];
    const frames = this.frames.value;
    if (Number.isNaN(frames)) return t2d('problem.not-a-number');
    if (!Number.isInteger(frames)) return t2d('problem.not-whole');
    if (frames < min) return t2d('problem.too-small', { limit: min });
    return frames > max ? t2d('problem.too-large', { limit: max }) : undefined;
  });

  /** The form has rejected fields: the measured scene would differ from the form. */
  readonly formProblem = computed(() => {
    const { scene, problems } = this.#session;
    const fields = new Set(problems.value.map(({ field }) => t2d(`field.${field}`)));
    return scene.isRefused.value ? t2d('experiment.form-refused', { fields: [...fields].join(', ') }) : undefined;
  });

  open(shown: Shown): void {
    this.choice.value = shown.choice;
    this.frames.value = shown.frames;
    this.validFrames.value = shown.frames;
    this.techniques.value = shown.techniques;
  }

  /** An invalid number stays in the field for correction and is not used. */
  typeFrames(frames: number): void {
    this.frames.value = frames;
    if (this.framesProblem.value === undefined) {
      this.validFrames.value = frames;
    }
  }

  chooseTechnique(name: string, on: boolean): void {
    const names = this.chosen.value.map((technique) => technique.name);
    const next = on ? [...names, name] : names.filter((each) => each !== name);
    this.techniques.value = next.length === this.offered.value.length ? null : next;
  }

  toggle(): void {
    if (this.progress.value === null) {
      // Apply pending input of the form first.
      this.#session.apply();
      this.#wait();
    } else if (this.#waits) {
      this.#waits = false;
      this.progress.value = null;
    } else {
      this.#session.send({ kind: 'cancel', id: this.#id });
    }
  }

  /** The worker is gone, and with it the measurement. */
  lost(): void {
    const running = this.progress.value;
    if (running !== null && !this.#waits) {
      this.#change(running.choice, (results) => ({ ...results, state: 'cancelled' }));
    }
    this.#waits = false;
    this.progress.value = null;
  }

  receive(reply: FromWorker): void {
    const running = this.progress.value;
    if (reply.kind === 'advice') {
      const { technique, cell, reason } = reply;
      this.#change('compare', (results) => ({ ...results, advice: { technique, cell, reason } }));
      return;
    }
    if (running === null || !('id' in reply) || reply.id !== this.#id) {
      return;
    }
    const { choice } = running;
    switch (reply.kind) {
      case 'progress':
        this.progress.value = { ...running, done: reply.done, of: reply.of, now: reply.now, leftMs: reply.leftMs };
        break;
      case 'measured':
        this.#change(choice, (results) => ({ ...results, rows: [...results.rows, reply.row] }));
        break;
      case 'not-measured': {
        const why = (): string => {
          const { technique, objects } = reply.parameters;
          const problems = reply.problems.map((each) => `${t2d(`field.${each.field}`)}: ${problemText(each)}`);
          return `${this.label(technique)}, ${t2d('stage.objects', { count: objects })}. ${problems.join(' ')}`;
        };
        this.#change(choice, (results) => ({ ...results, refused: [...results.refused, why] }));
        break;
      }
      case 'finished':
        this.#finish(choice, reply.cancelled);
        break;
      default:
    }
  }

  label(technique: string): string {
    const known = this.#session.catalog.value?.techniques.find(({ name }) => name === technique);
    return known === undefined ? technique : localized(known.label);
  }

  /** A slow scene responds late; show at once that the measurement is queued. */
  #wait(): void {
    this.#waits = true;
    const of = this.cases.value.reduce((sum, one) => sum + framesOf(one), 0);
    this.progress.value = { choice: this.choice.value, done: 0, of, now: null, leftMs: null };
    this.#session.scene.onceIdle(() => {
      if (this.#waits) {
        this.#waits = false;
        this.progress.value = null;
        this.#run();
      }
    });
  }

  #run(): void {
    const [cases, scene] = [this.cases.value, this.#session.running.value];
    if (this.formProblem.value !== undefined) {
      announce(() => this.formProblem.value ?? '');
      return;
    }
    if (cases.length === 0 || scene === null || this.framesProblem.value !== undefined) {
      return;
    }
    this.#id += 1;
    const choice = this.choice.value;
    const results: Results = {
      rows: [],
      seed: scene.seed,
      frames: choice === 'capacity' ? TRIAL_FRAMES : this.frames.value,
      scene: choice === 'compare' || choice === 'scaling' ? scene : null,
      state: 'running',
      refused: [],
      advice: null,
    };
    this.#earlier = this.#results.value.get(choice);
    this.#results.value = new Map(this.#results.value).set(choice, results);
    const of = cases.reduce((sum, one) => sum + framesOf(one), 0);
    this.progress.value = { choice, done: 0, of, now: cases[0]?.parameters ?? null, leftMs: null };
    if (choice === 'compare') {
      this.#session.send({ kind: 'advise' });
    }
    this.#session.send({ kind: 'measure', id: this.#id, cases });
    announce(() => t2d('announce.started', { count: cases.length }));
  }

  #finish(choice: Choice, cancelled: boolean): void {
    const count = this.#results.value.get(choice)?.rows.length ?? 0;
    if (cancelled && count === 0) {
      this.#restoreResults(choice);
    } else {
      this.#change(choice, (results) => ({ ...results, state: cancelled ? 'cancelled' : 'finished' }));
    }
    this.progress.value = null;
    showToast(() => t2d(cancelled ? 'announce.cancelled' : 'announce.finished', { count }), { isNews: !cancelled });
  }

  /** A run without a single case must not replace earlier results. */
  #restoreResults(choice: Choice): void {
    const results = new Map(this.#results.value);
    if (this.#earlier === undefined) {
      results.delete(choice);
    } else {
      results.set(choice, this.#earlier);
    }
    this.#results.value = results;
  }

  #change(choice: Choice, change: (results: Results) => Results): void {
    const old = this.#results.value.get(choice);
    if (old !== undefined) {
      this.#results.value = new Map(this.#results.value).set(choice, change(old));
    }
  }
}
