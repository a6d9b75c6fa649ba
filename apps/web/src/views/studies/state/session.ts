/**
 * Session of the studies view: chosen study, its cases, runs and results.
 *
 * There is one session per page: closing the view closes the coordinator and stops following the
 * address; a running study goes on (`runs.ts`). One worker coordinates: it lists the cases, and
 * creates results and reports from the rows. Others measure.
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
import { startCoordinator } from '../workers/start.ts';
import { type Choice, choiceOf, coresHere, FIRST, isSameRequest, problemsOf, requestOf, withStudy, workersOf } from './choice.ts';
import type { RunEnvironment, Catalog, FromCoordinator, Plan, Request, StudyName, ToCoordinator } from '../workers/protocol.ts';
import { casesLeft, isMeasured, measuredCount, measuredOf, type Run, utc } from './run.ts';
import type { StoredRun } from './run-storage.ts';
import { Runs } from './runs.ts';
import { parseResults, type Results } from '../workers/report-data.ts';
import { tStudies } from '../i18n/translate.ts';

/** Minimum interval of result updates during a run: they take time from the measurement. */
const REPORT_MS = 2000;

export class Session {
  readonly catalog = signal<Catalog | null>(null);
  readonly choice = signal<Choice>(FIRST);
  /** The request is no valid study; the engine's message. */
  readonly refusal = signal<string | null>(null);
  /** Cases of the current choice. */
  readonly plan = signal<{ request: Request; plan: Plan } | null>(null);
  readonly runs = new Runs({
    measured: () => this.#reportSoon(),
    done: (run) => this.#done(run),
    failed: (message) => this.#failed(message),
  });
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
  /** Cases of the current choice, once they are listed; null while the choice is invalid. */
  readonly listed = computed(() => {
    const [request, known] = [this.request.value, this.plan.value];
    const isListed = request !== null && known !== null && this.refusal.value === null && isSameRequest(known.request, request);
    return isListed ? known.plan : null;
  });
  /** The last run of the chosen study. */
  readonly run = computed(() => this.runs.get(this.choice.value.study));
  /** The run belongs to the current choice. */
  readonly isCurrent = computed(() => {
    const [run, request] = [this.run.value, this.request.value];
    return run !== null && request !== null && isSameRequest(run.request, request);
  });
  /** The settings of the displayed run, if they differ from the current choice. */
  readonly settingsOfRun = computed(() => {
    const [run, catalog] = [this.run.value, this.catalog.value];
    return run === null || catalog === null || this.isCurrent.value ? null : choiceOf(catalog, run.request, this.cores);
  });
  readonly canResume = computed(() => this.isCurrent.value && this.run.value?.state === 'stopped');

  #coordinator: Runner<ToCoordinator> | null = null;
  /** Ends of the effects of the open view. */
  #ends: (() => void)[] = [];
  /** Id of the last request to the coordinator. */
  #id = 0;
  #listId = 0;
  #resultsId = 0;
  #files = new Map<number, (html: string | null) => void>();
  /** Stored runs that the engine has not validated yet; null until they are read. */
  #stored: StoredRun[] | null = null;
  #checks = new Map<number, StoredRun>();
  #withdrawFailure: () => void = () => undefined;
  readonly #reportSoon = throttle<void>(REPORT_MS, () => this.#requestResults());

  open(): void {
    if (typeof WebAssembly !== 'object') {
      reportFailure(() => t('failure.wasm'));
      return;
    }
    this.#launch();
    // The form follows the address before it writes it.
    this.#openAddress();
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

  /** A running study goes on without the view. */
  close(): void {
    this.#ends.forEach((end) => end());
    this.#ends = [];
    this.#coordinator?.close();
    this.#coordinator = null;
    this.#dropPending();
    this.#withdrawFailure();
  }

  change(change: Partial<Choice>): void {
    this.choice.value = { ...this.choice.value, ...change };
  }

  chooseStudy(study: StudyName): void {
    if (study !== this.choice.value.study) this.choice.value = withStudy(this.choice.value, study);
  }

  /** Sets the form to the settings of the displayed run. */
  chooseSettingsOfRun(): void {
    const settings = this.settingsOfRun.value;
    if (settings !== null) this.choice.value = { ...settings, show: this.choice.value.show };
  }

  link(): string {
    const catalog = this.catalog.value;
    return catalog === null ? location.href : linkTo(write(this.choice.value, catalog));
  }

  /** Starts the chosen study from its beginning; drops earlier rows of this study. */
  start(): void {
    const [request, plan] = [this.request.value, this.listed.value];
    if (this.runs.isRunning.value || request === null || plan === null) return;
    this.#go({ request, plan, rows: plan.cases.map(() => null), state: 'running', environment: this.#environmentNow() });
    announce(() => t('announce.started', { count: plan.cases.length }));
  }

  /** Resumes a stopped run. */
  resume(): void {
    const run = this.run.value;
    if (this.runs.isRunning.value || run === null || !this.canResume.value) return;
    this.#go({ ...run, environment: { ...run.environment, resumed: run.environment.resumed + 1 } });
    announce(() => tStudies('announce.resumed', { count: casesLeft(run).length }));
  }

  /** Stops the run; its rows are kept. */
  stop(): void {
    const run = this.runs.stop();
    if (run === null) return;
    this.#requestResults();
    showToast(() => tStudies('announce.stopped', { count: measuredCount(run), all: run.plan.cases.length }));
  }

  toggle(): void {
    if (this.runs.isRunning.value) this.stop();
    else if (this.canResume.value) this.resume();
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

  #environmentNow(): RunEnvironment {
    return { agent: navigator.userAgent, cores: this.cores, started: utc(new Date()), finished: null, resumed: 0 };
  }

  #go(run: Run): void {
    if (!isMeasured(run)) {
      this.#results.value = null;
      // Pending results belong to the previous run.
      this.#resultsId = -1;
    }
    this.runs.start(run, workersOf(this.choice.value, this.cores));
  }

  #done(run: Run): void {
    this.#requestResults();
    const count = run.plan.cases.length;
    showToast(() => tStudies('announce.finished', { study: tStudies(`study.${run.request.study}`), count }), { isNews: true });
  }

  #failed(message: string): void {
    this.#dropPending();
    const isOpen = this.#coordinator !== null;
    const restart = (): void => {
      if (this.#coordinator !== null) this.#launch();
    };
    this.#withdrawFailure = isOpen
      ? reportFailure(() => t('failure.engine', { message }), restart, 'failure.restart')
      : reportFailure(() => tStudies('failure.background', { message }), () => undefined, 'help.close');
  }

  /** Starts a coordinator without state. */
  #launch(): void {
    this.#coordinator?.close();
    this.#dropPending();
    const coordinator: Runner<ToCoordinator> = startCoordinator((reply) => this.#receive(reply));
    this.#coordinator = coordinator;
  }

  /** Pending files will not be written any more, pending checks are repeated. */
  #dropPending(): void {
    this.#files.forEach((resolve) => resolve(null));
    this.#files.clear();
    this.#checks.clear();
  }

  #receive(reply: FromCoordinator): void {
    switch (reply.kind) {
      case 'ready':
        this.#begin(reply.catalog, reply.build);
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
      case 'checked':
        this.#checked(reply.id, reply.plan);
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

  #begin(catalog: Catalog, build: string): void {
    this.runs.build = build;
    if (this.catalog.value === null) {
      this.catalog.value = catalog;
      this.#openAddress();
    } else {
      // Another coordinator: repeat the requests.
      untracked(() => this.#syncPlan());
    }
    this.#requestResults();
    void this.#restore(build);
  }

  /** Validates the stored runs of this build by the engine. */
  async #restore(build: string): Promise<void> {
    this.#stored ??= (await this.runs.storage.load()).filter((run) => run.build === build);
    for (const run of this.#stored) {
      this.#id += 1;
      this.#checks.set(this.#id, run);
      this.#coordinator?.post({ kind: 'check', id: this.#id, request: run.request, measured: measuredOf({ ...run, state: 'stopped' }) });
    }
  }

  #checked(id: number, plan: Plan | null): void {
    const stored = this.#checks.get(id);
    if (stored === undefined) return;
    this.#checks.delete(id);
    this.#stored = this.#stored?.filter((run) => run !== stored) ?? null;
    if (plan === null || JSON.stringify(plan) !== JSON.stringify(stored.plan)) return;
    this.runs.restore(stored);
    if (stored.request.study === this.choice.value.study) this.#requestResults();
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

let session: Session | null = null;

/** The page's session. */
export function studiesSession(): Session {
  session ??= new Session();
  return session;
}
