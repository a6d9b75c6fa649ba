/**
 * Runs of all studies: measured by a pool of workers, and stored.
 *
 * They outlive the view: a running study goes on while another view is open. Every study keeps its
 * last run.
 */
import { computed, effect, signal } from '@preact/signals';

import { throttle } from '../../../shared/throttle.ts';
import { setBackgroundTask } from '../../../shell/background-tasks.ts';
import type { StudyName } from '../workers/protocol.ts';
import { startMeasureWorker } from '../workers/start.ts';
import { WorkerPool } from '../workers/worker-pool.ts';
import { tStudies } from '../i18n/translate.ts';
import { guardLeaving } from './leave-guard.ts';
import { casesLeft, isMeasured, leftMs, measuredCount, type Progress, type Run, shareDone, smoothedEnd, utc, workDone } from './run.ts';
import { RunStorage, storedRunOf } from './run-storage.ts';

/** Minimum interval of progress updates. */
const SHOW_MS = 200;

export interface RunCallbacks {
  /** Further rows are measured. */
  measured(): void;
  done(run: Run): void;
  /** A worker failed. The rows measured so far are kept. */
  failed(message: string): void;
}

export class Runs {
  readonly #all = signal<ReadonlyMap<StudyName, Run>>(new Map());
  readonly progress = signal<Progress | null>(null);
  readonly isRunning = computed(() => this.progress.value !== null);
  /** The running measurement, whichever study is chosen. */
  readonly running = computed(() => [...this.#all.value.values()].find(({ state }) => state === 'running') ?? null);
  readonly storage = new RunStorage();
  /** Build of the engine; rows are stored once it is known. */
  build: string | null = null;

  readonly #callbacks: RunCallbacks;
  #pool: WorkerPool | null = null;
  #advanced = new Map<number, number>();
  readonly #showProgress = throttle<void>(SHOW_MS, () => {
    const [run, progress] = [this.running.peek(), this.progress.peek()];
    if (run === null || progress === null) return;
    const next = { ...progress, advanced: new Map(this.#advanced) };
    const now = performance.now();
    this.progress.value = { ...next, end: smoothedEnd(progress.end, leftMs(run, next, now), now) };
  });

  constructor(callbacks: RunCallbacks) {
    this.#callbacks = callbacks;
    effect(() => {
      const [run, progress] = [this.running.value, this.progress.value];
      if (run === null || progress === null) setBackgroundTask('studies', null);
      else setBackgroundTask('studies', { share: shareDone(run, progress.advanced), about: () => aboutTask(run) });
    });
    // Stored rows survive a reload, the running cases do not.
    effect(() => {
      const isUnsaved = this.storage.hasFailed.value && [...this.#all.value.values()].some(isMeasured);
      guardLeaving(this.isRunning.value || isUnsaved);
    });
  }

  get(study: StudyName): Run | null {
    return this.#all.value.get(study) ?? null;
  }

  /** Starts or resumes a run. */
  start(run: Run, workers: number): void {
    this.#keep({ ...run, state: 'running' });
    this.#advanced = new Map();
    this.progress.value = { advanced: new Map(), began: performance.now(), doneBefore: workDone(run, new Map()), end: null };
    this.#pool = new WorkerPool(startMeasureWorker, run.request, casesLeft(run), workers, {
      advanced: (number, work) => {
        this.#advanced.set(number, work);
        this.#showProgress();
      },
      measured: (number, rows) => this.#measured(number, rows),
      done: () => this.#done(),
      failed: (message) => {
        this.stop();
        this.#callbacks.failed(message);
      },
    });
  }

  /** Stops the measurement and returns its run; the rows are kept. */
  stop(): Run | null {
    const run = this.running.peek();
    this.#end();
    if (run === null) return null;
    const stopped: Run = { ...run, state: 'stopped' };
    this.#keep(stopped);
    return stopped;
  }

  /** Adds a stored run, unless the study has been run since. */
  restore({ request, plan, rows, environment }: Omit<Run, 'state'>): void {
    if (this.#all.peek().has(request.study)) return;
    const state = rows.includes(null) ? 'stopped' : 'finished';
    this.#keep({ request, plan, rows, environment, state });
  }

  #measured(number: number, text: string): void {
    const run = this.running.peek();
    if (run === null) return;
    this.#advanced.delete(number);
    const next: Run = { ...run, rows: run.rows.map((each, place) => (place === number ? text : each)) };
    this.#keep(next);
    this.#store(next);
    this.#showProgress();
    this.#callbacks.measured();
  }

  #done(): void {
    const run = this.running.peek();
    this.#end();
    if (run === null) return;
    const finished: Run = { ...run, state: 'finished', environment: { ...run.environment, finished: utc(new Date()) } };
    this.#keep(finished);
    this.#store(finished);
    this.#callbacks.done(finished);
  }

  #end(): void {
    this.#pool?.dismiss();
    this.#pool = null;
    this.progress.value = null;
  }

  #keep(run: Run): void {
    this.#all.value = new Map(this.#all.peek()).set(run.request.study, run);
  }

  #store(run: Run): void {
    if (this.build !== null) this.storage.save(storedRunOf(run, this.build));
  }
}

function aboutTask(run: Run): string {
  return tStudies('run.background', { done: measuredCount(run), all: run.plan.cases.length });
}
