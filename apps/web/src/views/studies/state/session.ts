/**
 * Session of the studies view: chosen study, runs, results.
 *
 * One worker coordinates: it lists the cases, and creates results and reports from the rows. Others
 * measure. Every study keeps its last run, so that the user can switch between them.
 */
import { computed, effect, signal, untracked } from '@preact/signals';

import { withThreadOption, linkTo, onAddressChange, readAddress, scheduleAddressWrite } from '../../../shared/address.ts';
import { language, t } from '../../../shared/i18n/translate.ts';
import { throttle } from '../../../shared/throttle.ts';
import type { Runner } from '../../../shared/stage/worker-or-main-thread.ts';
import { clearNotice, notify } from '../../../shell/notice.tsx';
import { announce, showToast } from '../../../shell/status.tsx';
import { reportError as reportFailure } from '../../../shell/error-banner.tsx';
import { read, write } from './address.ts';
import { startMeasureWorker, startCoordinator } from '../workers/start.ts';
import { WorkerPool } from '../workers/worker-pool.ts';
import { type Choice, coresHere, FIRST, problemsOf, requestOf, withStudy, workersOf } from './choice.ts';
import type { RunEnvironment, Catalog, FromCoordinator, Plan, Request, StudyName, ToCoordinator } from '../workers/protocol.ts';
import { casesLeft, isMeasured, isSameRequest, measuredCount, measuredOf, type Progress, type Run, utc, workDone } from './run.ts';
import { parseResults, type Results } from '../workers/report-data.ts';
import { tStudies } from '../i18n/translate.ts';

/** Minimum interval of result updates during a run: they take time from the measurement. */
const REPORT_MS = 2000;
/** Minimum interval of progress updates. */
const SHOW_MS = 200;

export class Session {
  readonly catalog = signal<Catalog | null>(null);
  readonly choice = signal<Choice>(FIRST);
  /** The request is no valid study; the engine's message. */
  readonly refusal = signal<string | null>(null);
  /** Cases of the current choice. */
  readonly plan = signal<{ request: Request; plan: Plan } | null>(null);
  readonly #runs = signal<ReadonlyMap<StudyName, Run>>(new Map());
  readonly progress = signal<Progress | null>(null);
  readonly #results = signal<{ study: StudyName; results: Results } | null>(null);
  /** Results of the chosen study; null until they are available. */
  readonly results = computed(() => (this.#results.value?.study === this.choice.value.study ? this.#results.value.results : null));
  readonly cores = coresHere();

  readonly problems = computed(() => {
    const catalog = this.catalog.value;
    return catalog === null ? new Map<never, never>() : problemsOf(catalog, this.choice.value, this.cores);
  });
  /** As text: the request changes less often than the choice. */
  readonly #requestText = computed(() => {
    const catalog = this.catalog.value;
    const isSound = catalog !== null && this.problems.value.size === 0;
    return isSound ? JSON.stringify(requestOf(catalog, this.choice.value, this.cores)) : null;
  });
  /** The request of a run; null while the choice is invalid. */
  readonly request = computed(() => (this.#requestText.value === null ? null : (JSON.parse(this.#requestText.value) as Request)));
  /** The last run of the chosen study. */
  readonly run = computed(() => this.#runs.value.get(this.choice.value.study) ?? null);
  readonly isRunning = computed(() => this.progress.value !== null);
  /** The running measurement, whichever study is chosen. */
  readonly running = computed(() => [...this.#runs.value.values()].find(({ state }) => state === 'running') ?? null);
  /** The run belongs to the current choice. */
  readonly isCurrent = computed(() => {
    const [run, request] = [this.run.value, this.request.value];
    return run !== null && request !== null && isSameRequest(run.request, request);
  });
  readonly canGoOn = computed(() => this.isCurrent.value && this.run.value?.state === 'stopped');

  #coordinator: Runner<ToCoordinator> | null = null;
  #pool: WorkerPool | null = null;
  #ends: (() => void)[] = [];
  /** Id of the last request to the coordinator. */
  #id = 0;
  #listId = 0;
  #resultsId = 0;
  #files = new Map<number, (html: string | null) => void>();
  #withdrawFailure: () => void = () => undefined;
  readonly #reportSoon = throttle<void>(REPORT_MS, () => this.#requestResults());
  #advanced = new Map<number, number>();
  readonly #showProgress = throttle<void>(SHOW_MS, () => {
    const progress = this.progress.peek();
    if (progress !== null) this.progress.value = { ...progress, advanced: new Map(this.#advanced) };
  });

  open(): void {
    if (typeof WebAssembly !== 'object') {
      reportFailure(() => t('failure.wasm'));
      return;
    }
    this.#launch();
    this.#ends = [
      effect(() => this.#syncAddress()),
      effect(() => this.#syncPlan()),
      // Another language or study requires new results.
      effect(() => {
        void language.value;
        void this.choice.value.study;
        untracked(() => this.#requestResults());
      }),
      onAddressChange(() => this.#openAddress()),
    ];
  }

  close(): void {
    this.#ends.forEach((end) => end());
    this.#ends = [];
    this.#pool?.dismiss();
    this.#pool = null;
    this.#coordinator?.close();
    this.#coordinator = null;
    this.#withdrawFailure();
  }

  change(change: Partial<Choice>): void {
    this.choice.value = { ...this.choice.value, ...change };
  }

  chooseStudy(study: StudyName): void {
    if (study !== this.choice.value.study) this.choice.value = withStudy(this.choice.value, study);
  }

  link(): string {
    const catalog = this.catalog.value;
    return catalog === null ? location.href : linkTo(write(this.choice.value, catalog));
  }

  /** Starts the chosen study from its beginning; drops earlier rows of this study. */
  start(): void {
    const [request, known] = [this.request.value, this.plan.value];
    if (this.isRunning.value || request === null || known === null || !isSameRequest(known.request, request)) return;
    const { plan } = known;
    const environment = this.#aroundNow();
    this.#go({ request, plan, rows: plan.cases.map(() => null), state: 'running', environment });
    announce(() => t('announce.started', { count: plan.cases.length }));
  }

  /** Resumes a stopped run. */
  resume(): void {
    const run = this.run.value;
    if (this.isRunning.value || run === null || !this.canGoOn.value) return;
    this.#go({ ...run, state: 'running', environment: { ...run.environment, resumed: run.environment.resumed + 1 } });
    announce(() => tStudies('announce.went-on', { count: casesLeft(run).length }));
  }

  /** Stops the run; its rows are kept. */
  stop(): void {
    const run = this.running.value;
    this.#pool?.dismiss();
    this.#pool = null;
    this.progress.value = null;
    if (run === null) return;
    const count = measuredCount(run);
    this.#keep({ ...run, state: 'stopped' });
    this.#requestResults();
    showToast(() => tStudies('announce.stopped', { count, all: run.plan.cases.length }));
  }

  toggle(): void {
    if (this.isRunning.value) this.stop();
    else if (this.canGoOn.value) this.resume();
    else this.start();
  }

  /** The report as one HTML file, in the page's language. */
  async html(): Promise<string | null> {
    const run = this.run.value;
    if (run === null || !isMeasured(run) || this.#coordinator === null) return null;
    this.#id += 1;
    const id = this.#id;
    return new Promise((resolve) => {
      this.#files.set(id, resolve);
      this.#coordinator?.post({ kind: 'write', id, request: run.request, measured: measuredOf(run), language: language.value });
    });
  }

  #aroundNow(): RunEnvironment {
    return { agent: navigator.userAgent, cores: this.cores, started: utc(new Date()), finished: null, resumed: 0 };
  }

  #keep(run: Run): void {
    this.#runs.value = new Map(this.#runs.value).set(run.request.study, run);
  }

  #go(run: Run): void {
    this.#keep(run);
    this.#advanced = new Map();
    this.progress.value = { advanced: new Map(), began: performance.now(), doneBefore: workDone(run, new Map()) };
    if (!isMeasured(run)) {
      this.#results.value = null;
      // Pending results belong to the previous run.
      this.#resultsId = -1;
    }
    const workers = workersOf(this.choice.value, this.cores);
    this.#pool = new WorkerPool(startMeasureWorker, run.request, casesLeft(run), workers, {
      advanced: (number, work) => {
        this.#advanced.set(number, work);
        this.#showProgress();
      },
      measured: (number, rows) => this.#measured(number, rows),
      done: () => this.#done(),
      failed: (message) => this.#failed(message),
    });
  }

  #measured(number: number, text: string): void {
    const run = this.running.value;
    if (run === null) return;
    this.#advanced.delete(number);
    this.#keep({ ...run, rows: run.rows.map((each, place) => (place === number ? text : each)) });
    this.#showProgress();
    this.#reportSoon();
  }

  #done(): void {
    const run = this.running.value;
    this.#pool = null;
    this.progress.value = null;
    if (run === null) return;
    this.#keep({ ...run, state: 'finished', environment: { ...run.environment, finished: utc(new Date()) } });
    this.#requestResults();
    showToast(() => t('announce.finished', { count: run.plan.cases.length }));
  }

  /** A worker failed. The rows measured so far are kept. */
  #failed(message: string): void {
    const run = this.running.value;
    this.#pool?.dismiss();
    this.#pool = null;
    this.progress.value = null;
    if (run !== null) this.#keep({ ...run, state: 'stopped' });
    this.#dropPendingFiles();
    this.#withdrawFailure = reportFailure(() => t('failure.engine', { message }), () => this.#launch(), 'failure.restart');
  }

  /** Starts a coordinator without state. */
  #launch(): void {
    this.#coordinator?.close();
    this.#dropPendingFiles();
    const coordinator: Runner<ToCoordinator> = startCoordinator((reply) => this.#receive(reply));
    this.#coordinator = coordinator;
  }

  /** Pending files will not be written any more. */
  #dropPendingFiles(): void {
    this.#files.forEach((resolve) => resolve(null));
    this.#files.clear();
  }

  #receive(reply: FromCoordinator): void {
    switch (reply.kind) {
      case 'ready':
        this.#begin(reply.catalog);
        break;
      case 'listed':
        if (reply.id === this.#listId) {
          this.refusal.value = null;
          this.plan.value = reply;
        }
        break;
      case 'refused':
        if (reply.id === this.#listId) this.refusal.value = reply.why;
        break;
      case 'results':
        if (reply.id === this.#resultsId) this.#results.value = { study: reply.study, results: parseResults(reply.results, reply.csv) };
        break;
      case 'written':
        this.#files.get(reply.id)?.(reply.html);
        this.#files.delete(reply.id);
        break;
      case 'failed':
        this.#failed(reply.message);
        break;
    }
  }

  #begin(catalog: Catalog): void {
    if (this.catalog.value === null) {
      this.catalog.value = catalog;
      this.#openAddress();
    } else {
      // Another coordinator: repeat the requests.
      this.catalog.value = { ...catalog };
    }
    this.#requestResults();
  }

  #openAddress(): void {
    const catalog = this.catalog.value;
    if (catalog === null) return;
    const { choice, invalid } = read(readAddress(), catalog);
    // A running measurement goes on; the display follows the address.
    this.choice.value = choice.workers === null ? choice : { ...choice, workers: Math.min(choice.workers, this.cores) };
    clearNotice();
    if (invalid.length > 0) {
      const fields = invalid.join(', ');
      notify(() => t('address.fallback', { count: invalid.length, fields }));
    }
  }

  #syncAddress(): void {
    const catalog = this.catalog.value;
    void this.choice.value;
    if (catalog !== null) scheduleAddressWrite(() => withThreadOption(write(this.choice.value, catalog)));
  }

  /** Requests the cases of the choice whenever it changes. */
  #syncPlan(): void {
    const request = this.request.value;
    if (request === null) return;
    this.#id += 1;
    this.#listId = this.#id;
    this.#coordinator?.post({ kind: 'list', id: this.#listId, request });
  }

  /** Requests the results of the chosen study. */
  #requestResults(): void {
    const run = this.run.value;
    if (run === null || !isMeasured(run) || this.#coordinator === null) return;
    this.#id += 1;
    this.#resultsId = this.#id;
    this.#coordinator.post({ kind: 'results', id: this.#resultsId, request: run.request, measured: measuredOf(run), language: language.value });
  }
}
