/**
 * Which study is chosen, what is measured of it, and what came out?
 *
 * One worker keeps the books: it lists the cases, and tells and writes what the rows say. Others measure. Every study keeps
 * its last run, so that one can go back and forth between them.
 */
import { computed, effect, signal, untracked } from '@preact/signals';

import { keepingThread, linkTo, onAddress, readAddress, writeAddress } from '../../shared/address.ts';
import { language, words } from '../../shared/i18n.ts';
import { atMostEvery } from '../../shared/pace.ts';
import type { Runner } from '../../shared/stage/runners.ts';
import { clearNotice, notify } from '../../shell/notice.tsx';
import { say, tell } from '../../shell/status.tsx';
import { report as reportTrouble } from '../../shell/trouble.tsx';
import { read, write } from './address.ts';
import { setUpBench, setUpDesk } from './bench/begin.ts';
import { Crew } from './bench/crew.ts';
import { type Choice, coresHere, FIRST, problemsOf, requestOf, withStudy, workersOf } from './choice.ts';
import type { Around, Catalogue, FromDesk, Plan, Request, StudyName, ToDesk } from './protocol.ts';
import { casesLeft, isMeasured, isSameRequest, measuredCount, measuredOf, type Progress, type Run, utc, workDone } from './run.ts';
import { readTold, type Told } from './told/told.ts';
import { wordsOfStudies } from './words.ts';

/** Reports are made again this often while cases come in: it takes time from what is measured. */
const TELL_MS = 2000;
/** Progress is shown this often. */
const SHOW_MS = 200;

export class Session {
  readonly catalogue = signal<Catalogue | null>(null);
  readonly choice = signal<Choice>(FIRST);
  /** What was asked makes no study, in the engine's words. */
  readonly refusal = signal<string | null>(null);
  /** Cases of the present choice. */
  readonly plan = signal<{ request: Request; plan: Plan } | null>(null);
  readonly #runs = signal<ReadonlyMap<StudyName, Run>>(new Map());
  readonly progress = signal<Progress | null>(null);
  readonly #told = signal<{ study: StudyName; told: Told } | null>(null);
  /** What the rows of the chosen study say; none while they say nothing, or it is not told yet. */
  readonly told = computed(() => (this.#told.value?.study === this.choice.value.study ? this.#told.value.told : null));
  readonly cores = coresHere();

  readonly problems = computed(() => {
    const catalogue = this.catalogue.value;
    return catalogue === null ? new Map<never, never>() : problemsOf(catalogue, this.choice.value, this.cores);
  });
  /** As text: what is asked for changes less often than what is chosen. */
  readonly #requestText = computed(() => {
    const catalogue = this.catalogue.value;
    const isSound = catalogue !== null && this.problems.value.size === 0;
    return isSound ? JSON.stringify(requestOf(catalogue, this.choice.value, this.cores)) : null;
  });
  /** What a run would be asked for; none while something is wrong. */
  readonly request = computed(() => (this.#requestText.value === null ? null : (JSON.parse(this.#requestText.value) as Request)));
  /** The last run of the chosen study. */
  readonly run = computed(() => this.#runs.value.get(this.choice.value.study) ?? null);
  readonly isRunning = computed(() => this.progress.value !== null);
  /** The run that is being measured, whatever is chosen. */
  readonly running = computed(() => [...this.#runs.value.values()].find(({ state }) => state === 'running') ?? null);
  /** The run is of what is chosen now. */
  readonly isCurrent = computed(() => {
    const [run, request] = [this.run.value, this.request.value];
    return run !== null && request !== null && isSameRequest(run.request, request);
  });
  readonly canGoOn = computed(() => this.isCurrent.value && this.run.value?.state === 'stopped');

  #desk: Runner<ToDesk> | null = null;
  #crew: Crew | null = null;
  #ends: (() => void)[] = [];
  /** Of what the desk was asked last. */
  #id = 0;
  #listId = 0;
  #tellId = 0;
  #files = new Map<number, (html: string | null) => void>();
  #withdrawTrouble: () => void = () => undefined;
  readonly #tellSoon = atMostEvery<void>(TELL_MS, () => this.#tell());
  #advanced = new Map<number, number>();
  readonly #showProgress = atMostEvery<void>(SHOW_MS, () => {
    const progress = this.progress.peek();
    if (progress !== null) this.progress.value = { ...progress, advanced: new Map(this.#advanced) };
  });

  open(): void {
    if (typeof WebAssembly !== 'object') {
      reportTrouble(() => words('trouble.wasm'));
      return;
    }
    this.#raise();
    this.#ends = [
      effect(() => this.#keepAddress()),
      effect(() => this.#keepPlan()),
      // Another language, or another study: told anew.
      effect(() => {
        void language.value;
        void this.choice.value.study;
        untracked(() => this.#tell());
      }),
      onAddress(() => this.#openAddress()),
    ];
  }

  close(): void {
    this.#ends.forEach((end) => end());
    this.#ends = [];
    this.#crew?.dismiss();
    this.#crew = null;
    this.#desk?.close();
    this.#desk = null;
    this.#withdrawTrouble();
  }

  change(change: Partial<Choice>): void {
    this.choice.value = { ...this.choice.value, ...change };
  }

  chooseStudy(study: StudyName): void {
    if (study !== this.choice.value.study) this.choice.value = withStudy(this.choice.value, study);
  }

  link(): string {
    const catalogue = this.catalogue.value;
    return catalogue === null ? location.href : linkTo(write(this.choice.value, catalogue));
  }

  /** Runs what is chosen from its beginning; what was measured of this study before is forgotten. */
  start(): void {
    const [request, known] = [this.request.value, this.plan.value];
    if (this.isRunning.value || request === null || known === null || !isSameRequest(known.request, request)) return;
    const { plan } = known;
    const around = this.#aroundNow();
    this.#go({ request, plan, rows: plan.cases.map(() => null), state: 'running', around });
    say(() => words('said.started', { count: plan.cases.length }));
  }

  /** Measures what is left of a run that was stopped. */
  goOn(): void {
    const run = this.run.value;
    if (this.isRunning.value || run === null || !this.canGoOn.value) return;
    this.#go({ ...run, state: 'running', around: { ...run.around, resumed: run.around.resumed + 1 } });
    say(() => wordsOfStudies('said.went-on', { count: casesLeft(run).length }));
  }

  /** What is done stays. */
  stop(): void {
    const run = this.running.value;
    this.#crew?.dismiss();
    this.#crew = null;
    this.progress.value = null;
    if (run === null) return;
    const count = measuredCount(run);
    this.#keep({ ...run, state: 'stopped' });
    this.#tell();
    tell(() => wordsOfStudies('said.stopped', { count, all: run.plan.cases.length }));
  }

  toggle(): void {
    if (this.isRunning.value) this.stop();
    else if (this.canGoOn.value) this.goOn();
    else this.start();
  }

  /** The report as one file, in the page's language. */
  async html(): Promise<string | null> {
    const run = this.run.value;
    if (run === null || !isMeasured(run) || this.#desk === null) return null;
    this.#id += 1;
    const id = this.#id;
    return new Promise((resolve) => {
      this.#files.set(id, resolve);
      this.#desk?.post({ kind: 'write', id, request: run.request, measured: measuredOf(run), language: language.value });
    });
  }

  #aroundNow(): Around {
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
      this.#told.value = null;
      // What the last run says is on its way, perhaps, and says nothing of this one.
      this.#tellId = -1;
    }
    const workers = workersOf(this.choice.value, this.cores);
    this.#crew = new Crew(setUpBench, run.request, casesLeft(run), workers, {
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
    this.#tellSoon();
  }

  #done(): void {
    const run = this.running.value;
    this.#crew = null;
    this.progress.value = null;
    if (run === null) return;
    this.#keep({ ...run, state: 'finished', around: { ...run.around, finished: utc(new Date()) } });
    this.#tell();
    tell(() => words('said.finished', { count: run.plan.cases.length }));
  }

  /** A bench died, or the desk did. What was measured stays. */
  #failed(message: string): void {
    const run = this.running.value;
    this.#crew?.dismiss();
    this.#crew = null;
    this.progress.value = null;
    if (run !== null) this.#keep({ ...run, state: 'stopped' });
    this.#forgetFiles();
    this.#withdrawTrouble = reportTrouble(() => words('trouble.engine', { message }), () => this.#raise(), 'trouble.restart');
  }

  /** A desk that knows nothing yet. */
  #raise(): void {
    this.#desk?.close();
    this.#forgetFiles();
    const desk: Runner<ToDesk> = setUpDesk((said) => this.#hear(said));
    this.#desk = desk;
  }

  /** Nobody waits for what nobody writes. */
  #forgetFiles(): void {
    this.#files.forEach((resolve) => resolve(null));
    this.#files.clear();
  }

  #hear(said: FromDesk): void {
    switch (said.kind) {
      case 'ready':
        this.#begin(said.catalogue);
        break;
      case 'listed':
        if (said.id === this.#listId) {
          this.refusal.value = null;
          this.plan.value = said;
        }
        break;
      case 'refused':
        if (said.id === this.#listId) this.refusal.value = said.why;
        break;
      case 'told':
        if (said.id === this.#tellId) this.#told.value = { study: said.study, told: readTold(said.told, said.csv) };
        break;
      case 'written':
        this.#files.get(said.id)?.(said.html);
        this.#files.delete(said.id);
        break;
      case 'failed':
        this.#failed(said.message);
        break;
    }
  }

  #begin(catalogue: Catalogue): void {
    if (this.catalogue.value === null) {
      this.catalogue.value = catalogue;
      this.#openAddress();
    } else {
      // The desk is another: it is asked again.
      this.catalogue.value = { ...catalogue };
    }
    this.#tell();
  }

  #openAddress(): void {
    const catalogue = this.catalogue.value;
    if (catalogue === null) return;
    const { choice, unreadable } = read(readAddress(), catalogue);
    // Whoever measures goes on; what is shown is what the address says.
    this.choice.value = choice.workers === null ? choice : { ...choice, workers: Math.min(choice.workers, this.cores) };
    clearNotice();
    if (unreadable.length > 0) {
      const fields = unreadable.join(', ');
      notify(() => words('address.fallback', { count: unreadable.length, fields }));
    }
  }

  #keepAddress(): void {
    const catalogue = this.catalogue.value;
    void this.choice.value;
    if (catalogue !== null) writeAddress(() => keepingThread(write(this.choice.value, catalogue)));
  }

  /** The cases of what is chosen, whenever that changes. */
  #keepPlan(): void {
    const request = this.request.value;
    if (request === null) return;
    this.#id += 1;
    this.#listId = this.#id;
    this.#desk?.post({ kind: 'list', id: this.#listId, request });
  }

  /** Asks the desk what the rows of the chosen study say. */
  #tell(): void {
    const run = this.run.value;
    if (run === null || !isMeasured(run) || this.#desk === null) return;
    this.#id += 1;
    this.#tellId = this.#id;
    this.#desk.post({ kind: 'tell', id: this.#tellId, request: run.request, measured: measuredOf(run), language: language.value });
  }
}
