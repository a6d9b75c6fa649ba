/**
 * What is being measured, and what was?
 *
 * Two experiments of the study, known to the engine, and `compare`: every technique on the present scene.
 * Each keeps its rows until it is run again, so that one can go back and forth between them.
 */
import { computed, signal } from '@preact/signals';

import { spoken, words } from '../../../shared/i18n.ts';
import { say, tell } from '../../../shell/status.tsx';
import type { Choice, Shown } from '../address.ts';
import { cellsToCompare } from './cells.ts';
import { problemText } from '../problems.ts';
import { type Advice, type ExperimentCase, type FromWorker, MEAN_FRAMES, type Measured, type Parameters } from '../protocol.ts';
import type { Session } from '../session.ts';

export interface Results {
  rows: readonly Measured[];
  seed: number;
  frames: number;
  /** What it was measured on, where that is not the engine's own list of cases. */
  scene: Parameters | null;
  state: 'running' | 'finished' | 'cancelled';
  /** Cases that the engine refused, in words. */
  refused: readonly (() => string)[];
  advice: Advice | null;
}

export interface Progress {
  choice: Choice;
  /** In frames, of all cases together. */
  done: number;
  of: number;
  now: Parameters | null;
  /** Of the present case; none before its first frame. */
  leftMs: number | null;
}

export class Experiments {
  readonly choice = signal<Choice>('compare');
  /** As typed; what is sound of it stands in the address. */
  readonly frames = signal(MEAN_FRAMES);
  readonly soundFrames = signal(MEAN_FRAMES);
  /** None means all that the experiment has. */
  readonly techniques = signal<readonly string[] | null>(null);
  readonly progress = signal<Progress | null>(null);
  readonly #results = signal<ReadonlyMap<Choice, Results>>(new Map());
  readonly #session: Session;
  /** For the answer to what the engine was asked before. */
  #waits = false;
  /** What the run under way would replace. */
  #earlier: Results | undefined;
  #id = 0;

  constructor(session: Session) {
    this.#session = session;
  }

  /** The experiment of the engine's list that is chosen; none for `compare`. */
  readonly experiment = computed(() =>
    this.#session.catalogue.value?.experiments.find(({ number }) => this.choice.value === `experiment-${number}`),
  );

  /** Techniques that the chosen experiment can measure. */
  readonly offered = computed(() => {
    const all = this.#session.catalogue.value?.techniques ?? [];
    const own = this.experiment.value?.techniques;
    return own === undefined ? all : all.filter(({ name }) => own.includes(name));
  });

  readonly chosen = computed(() => {
    const wanted = this.techniques.value;
    return this.offered.value.filter(({ name }) => wanted === null || wanted.includes(name));
  });

  readonly results = computed(() => this.#results.value.get(this.choice.value) ?? null);

  readonly cases = computed((): ExperimentCase[] => {
    const { catalogue, running } = this.#session;
    const [scene, frames] = [running.value, this.frames.value];
    if (catalogue.value === null || scene === null) {
      return [];
    }
    const names = this.chosen.value.map(({ name }) => name);
    const experiment = this.experiment.value;
    if (experiment !== undefined) {
      const own = experiment.cases.filter(({ technique }) => names.includes(technique));
      return own.map((each) => ({ parameters: { ...each, seed: scene.seed }, frames }));
    }
    const cellOf = cellsToCompare(scene, this.#session.runningTechnique.value);
    return this.chosen.value.map((technique) => {
      const parameters = { ...scene, technique: technique.name, cellSize: cellOf(technique) };
      return { parameters, frames };
    });
  });

  readonly framesProblem = computed(() => {
    const [least, most] = this.#session.catalogue.value?.limits.frames ?? [1, Infinity];
    const frames = this.frames.value;
    if (Number.isNaN(frames)) return words('problem.not-a-number');
    if (!Number.isInteger(frames)) return words('problem.not-whole');
    if (frames < least) return words('problem.too-small', { limit: least });
    return frames > most ? words('problem.too-large', { limit: most }) : undefined;
  });

  /** What the form says was refused: measured would be another scene than the reader sees there. */
  readonly formProblem = computed(() => {
    const { scene, problems } = this.#session;
    const fields = new Set(problems.value.map(({ field }) => words(`field.${field}`)));
    return scene.isRefused.value ? words('lab.form-refused', { fields: [...fields].join(', ') }) : undefined;
  });

  open(shown: Shown): void {
    this.choice.value = shown.choice;
    this.frames.value = shown.frames;
    this.soundFrames.value = shown.frames;
    this.techniques.value = shown.techniques;
  }

  /** A number that cannot be is kept to be mended, and goes nowhere else. */
  typeFrames(frames: number): void {
    this.frames.value = frames;
    if (this.framesProblem.value === undefined) {
      this.soundFrames.value = frames;
    }
  }

  chooseTechnique(name: string, on: boolean): void {
    const names = this.chosen.value.map((technique) => technique.name);
    const next = on ? [...names, name] : names.filter((each) => each !== name);
    this.techniques.value = next.length === this.offered.value.length ? null : next;
  }

  toggle(): void {
    if (this.progress.value === null) {
      // What was typed a moment ago is the scene to measure.
      this.#session.apply();
      this.#wait();
    } else if (this.#waits) {
      this.#waits = false;
      this.progress.value = null;
    } else {
      this.#session.send({ kind: 'cancel', id: this.#id });
    }
  }

  /** The worker is gone, and with it what it was measuring. */
  lost(): void {
    const running = this.progress.value;
    if (running !== null && !this.#waits) {
      this.#change(running.choice, (results) => ({ ...results, state: 'cancelled' }));
    }
    this.#waits = false;
    this.progress.value = null;
  }

  hear(said: FromWorker): void {
    const running = this.progress.value;
    if (said.kind === 'advice') {
      const { technique, cell, reason } = said;
      this.#change('compare', (results) => ({ ...results, advice: { technique, cell, reason } }));
      return;
    }
    if (running === null || !('id' in said) || said.id !== this.#id) {
      return;
    }
    const { choice } = running;
    switch (said.kind) {
      case 'progress':
        this.progress.value = { ...running, done: said.done, of: said.of, now: said.now, leftMs: said.leftMs };
        break;
      case 'measured':
        this.#change(choice, (results) => ({ ...results, rows: [...results.rows, said.row] }));
        break;
      case 'not-measured': {
        const why = (): string => {
          const { technique, objects } = said.parameters;
          const problems = said.problems.map((each) => `${words(`field.${each.field}`)}: ${problemText(each)}`);
          return `${this.label(technique)}, ${words('stage.objects', { count: objects })}. ${problems.join(' ')}`;
        };
        this.#change(choice, (results) => ({ ...results, refused: [...results.refused, why] }));
        break;
      }
      case 'finished':
        this.#finish(choice, said.cancelled);
        break;
      default:
    }
  }

  label(technique: string): string {
    const known = this.#session.catalogue.value?.techniques.find(({ name }) => name === technique);
    return known === undefined ? technique : spoken(known.label);
  }

  /** A scene that is long to search answers late; that it will be measured then is shown at once. */
  #wait(): void {
    this.#waits = true;
    const of = this.cases.value.reduce((sum, { frames }) => sum + frames, 0);
    this.progress.value = { choice: this.choice.value, done: 0, of, now: null, leftMs: null };
    this.#session.scene.onceAnswered(() => {
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
      say(() => this.formProblem.value ?? '');
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
      frames: this.frames.value,
      scene: choice === 'compare' ? scene : null,
      state: 'running',
      refused: [],
      advice: null,
    };
    this.#earlier = this.#results.value.get(choice);
    this.#results.value = new Map(this.#results.value).set(choice, results);
    const of = cases.reduce((sum, { frames }) => sum + frames, 0);
    this.progress.value = { choice, done: 0, of, now: cases[0]?.parameters ?? null, leftMs: null };
    if (choice === 'compare') {
      this.#session.send({ kind: 'advise' });
    }
    this.#session.send({ kind: 'measure', id: this.#id, cases });
    say(() => words('said.started', { count: cases.length }));
  }

  #finish(choice: Choice, cancelled: boolean): void {
    const count = this.#results.value.get(choice)?.rows.length ?? 0;
    if (cancelled && count === 0) {
      this.#putBack(choice);
    } else {
      this.#change(choice, (results) => ({ ...results, state: cancelled ? 'cancelled' : 'finished' }));
    }
    this.progress.value = null;
    tell(() => words(cancelled ? 'said.cancelled' : 'said.finished', { count }));
  }

  /** A run without a single case has nothing to show in place of the one before. */
  #putBack(choice: Choice): void {
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
