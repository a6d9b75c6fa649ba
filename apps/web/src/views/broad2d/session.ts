/**
 * What is on the stage, and what did the reader ask for?
 *
 * The form's words are a draft; only what the engine accepted is `running`, stands in the address and is
 * kept when the next draft is refused. All state is signals; the world itself lives in the worker.
 */
import { batch, computed, effect, signal } from '@preact/signals';

import { linkTo, onAddress, readAddress, writeAddress } from '../../shared/address.ts';
import { words } from '../../shared/i18n.ts';
import { prefersLessMotion } from '../../shared/media.ts';
import { atMostEvery } from '../../shared/pace.ts';
import { settings } from '../../shared/settings.ts';
import { clearNotice, notify } from '../../shell/notice.tsx';
import { say } from '../../shell/status.tsx';
import { report as reportTrouble } from '../../shell/trouble.tsx';
import { type FieldName, read, type Shown, write } from './address.ts';
import { hear } from './collision-sound.ts';
import { themeColours } from './colours.ts';
import { Experiments } from './experiments/experiments.ts';
import { History, type Moment } from './history.ts';
import { Patience } from './patience.ts';
import { problemText } from './problems.ts';
import type {
  Catalogue,
  FrameReport,
  FromPage,
  FromWorker,
  Overlays,
  Parameters,
  Problem,
  Selection,
} from './protocol.ts';
import { StageHost } from './stage/host.ts';

/** A typed number counts when the typing has paused. */
const TYPING_MS = 400;
/** Figures that change faster cannot be read. */
const FIGURES_MS = 200;
const SELECTION_MS = 250;
/** Objects pass through a narrow view; a note that came and went with them would blink. */
const EMPTY_MS = 1000;

export class Session {
  readonly catalogue = signal<Catalogue | null>(null);
  readonly draft = signal<Parameters | null>(null);
  readonly running = signal<Parameters | null>(null);
  readonly problems = signal<readonly Problem[]>([]);
  readonly playing = signal(false);
  readonly report = signal<FrameReport | null>(null);
  readonly moments = signal<readonly Moment[]>([]);
  readonly meanFps = signal(Number.NaN);
  readonly selection = signal<Selection | null>(null);
  /** The object that was clicked or chosen by key; what the pointer only rests on is not kept. */
  readonly kept = computed(() => {
    const selection = this.selection.value;
    return selection?.kept === true ? selection.object : null;
  });
  /** The whole world is in view. */
  readonly isFitted = signal(true);
  /** The reader moved the view to where nothing is. */
  readonly seesNothing = signal(false);
  readonly overlays = signal<Overlays>({ cells: false, boxes: false });
  readonly experiments = new Experiments(this);
  /** An experiment measures: what would change its scene is locked. */
  readonly isHeld = computed(() => this.experiments.progress.value !== null);
  readonly patience = new Patience();

  readonly technique = computed(() => this.#techniqueOf(this.draft.value));
  readonly runningTechnique = computed(() => this.#techniqueOf(this.running.value));

  readonly #history = new History();
  #host: StageHost | null = null;
  #ends: (() => void)[] = [];
  #typing: number | undefined;
  /** Fields of the address that were not taken, while the scene that it names is tried. */
  #fromAddress: FieldName[] | null = null;
  #triedDefaults = false;
  /** The scene that was asked for, none if only its technique was; and the last whose world was refused. */
  #asked: Parameters | null = null;
  #refused: Parameters | null = null;
  #wantedSelection: number | null = null;
  #saySelected = false;
  #saidNext: ((frame: FrameReport) => void) | null = null;
  #withdrawRefusal: () => void = () => undefined;
  #withdrawTrouble: () => void = () => undefined;
  /** How many questions were asked; the last one, if it is not answered yet; and who waits for its answer. */
  #asks = 0;
  #unanswered: number | null = null;
  #whenAnswered: (() => void) | null = null;

  /** Begins in this element, which gives the canvas its size. */
  open(place: HTMLElement): void {
    if (typeof WebAssembly !== 'object') {
      reportTrouble(() => words('trouble.wasm'));
      return;
    }
    this.playing.value = !prefersLessMotion.value;
    // For tests, and for who wants to know whether the worker is to blame.
    const mainThread = readAddress().get('main-thread') === '1';
    this.#host = new StageHost(place, (said) => this.#hear(said), { mainThread });
    this.#ends = [
      effect(() => {
        this.send({ kind: 'theme', colours: themeColours(settings.isDark.value) });
      }),
      effect(() => this.send({ kind: 'overlays', overlays: this.overlays.value })),
      effect(() => this.#keepAddress()),
      effect(() => this.#awaitFrames()),
      effect(() => {
        if (this.patience.isWaiting.value && this.#unanswered !== null) {
          say(() => words('said.searching'));
        }
      }),
      onAddress(() => this.#openAddress()),
    ];
  }

  close(): void {
    this.#ends.forEach((end) => end());
    this.#ends = [];
    this.patience.expectNothing();
    window.clearTimeout(this.#typing);
    this.#host?.dispose();
    this.#host = null;
  }

  send(message: FromPage): void {
    this.#host?.send(message);
  }

  /** What the reader sees, as the address says it. */
  shown(): Shown | null {
    const parameters = this.running.value;
    const { choice, soundFrames, techniques } = this.experiments;
    return parameters === null
      ? null
      : {
          parameters,
          overlays: this.overlays.value,
          selected: this.kept.value,
          choice: choice.value,
          frames: soundFrames.value,
          techniques: techniques.value,
        };
  }

  link(): string {
    const shown = this.shown();
    return shown === null ? location.href : linkTo(write(shown));
  }

  /** Takes a change of the form, now or when the typing has paused. */
  edit(change: Partial<Parameters>, when: 'now' | 'typing'): void {
    if (this.draft.value === null || this.#saysHeld()) {
      return;
    }
    this.draft.value = this.#withUsedCell({ ...this.draft.value, ...change });
    window.clearTimeout(this.#typing);
    if (when === 'now') {
      this.apply();
    } else {
      this.#typing = window.setTimeout(() => this.apply(), TYPING_MS);
    }
  }

  /** Asks the engine for the scene of the draft, if it is another one. */
  apply(): void {
    window.clearTimeout(this.#typing);
    const [draft, running] = [this.draft.value, this.running.value];
    if (draft === null) {
      return;
    }
    if (this.#unanswered !== null && this.#asked !== null && changedFields(draft, this.#asked).length === 0) {
      return;
    }
    const changed = changedFields(draft, running);
    // A world that was refused just now would be again; its technique can be changed all the same.
    const again = this.#refused !== null && !changedFields(draft, this.#refused).some(isOfWorld);
    if (changed.length === 0) {
      this.#setProblems([]);
    } else if (again || !changed.some(isOfWorld)) {
      this.#asked = null;
      const { technique, cellSize } = draft;
      this.send({ kind: 'change', ask: this.#nextAsk(), technique, cellSize });
    } else {
      this.#start(draft);
    }
  }

  togglePlaying(): void {
    if (this.#saysHeld()) {
      return;
    }
    const play = !this.playing.value;
    this.send({ kind: play ? 'play' : 'pause' });
    this.playing.value = play;
    say(() => words(play ? 'said.playing' : 'said.paused'));
  }

  step(): void {
    if (this.#saysHeld()) {
      return;
    }
    this.#saidNext = ({ frame, tests, pairs }) => say(() => words('said.step', { frame, tests, pairs }));
    this.send({ kind: 'step', frames: 1 });
    this.patience.expect();
  }

  reset(): void {
    if (this.running.value !== null && !this.#saysHeld()) {
      this.#start(this.running.value);
      say(() => words('said.reset'));
    }
  }

  toggleOverlay(name: keyof Overlays): void {
    const on = !this.overlays.value[name];
    this.overlays.value = { ...this.overlays.value, [name]: on };
    say(() => words(`said.${name}-${on ? 'on' : 'off'}`));
  }

  /** Keeps this one selected, or none. */
  select(object: number | null): void {
    if (!this.#saysHeld()) {
      this.#saySelected = true;
      this.send({ kind: 'select', object });
    }
  }

  /** The object before or after the one that is selected. */
  selectBy(by: 1 | -1): void {
    if (!this.#saysHeld()) {
      this.#saySelected = true;
      this.send({ kind: 'select-by', by });
    }
  }

  /** Keeps what lies here selected; nothing, if nothing does. */
  pinAt(x: number, y: number): void {
    if (!this.#saysHeld()) {
      this.#saySelected = true;
      this.send({ kind: 'select-at', x, y });
    }
  }

  /** Looks at what lies under the pointer; the pointer is nowhere when it has left the stage. */
  pointAt(place: { x: number; y: number } | null): void {
    if (!this.isHeld.value) {
      this.send({ kind: 'point-at', place });
    }
  }

  /** Runs when the engine has answered what it was asked last: now, if nothing is open. */
  onceAnswered(run: () => void): void {
    if (this.#unanswered === null) {
      run();
    } else {
      this.#whenAnswered = run;
    }
  }

  restart(): void {
    this.experiments.lost();
    if (this.#host?.isSpent === true) {
      this.#reload(this.running.value);
    } else {
      this.#host?.restart();
    }
  }

  /** On the page's own thread an engine that has stopped cannot be had anew but with the page. */
  #reload(parameters: Parameters | null): void {
    const shown = this.shown();
    if (shown !== null && parameters !== null) {
      history.replaceState(history.state, '', linkTo(this.#written({ ...shown, parameters })));
    }
    location.reload();
  }

  /** Who asked for the page's own thread has it after a reload too; a link for others does not ask for it. */
  #written(shown: Shown): URLSearchParams {
    const values = write(shown);
    if (readAddress().get('main-thread') === '1') {
      values.set('main-thread', '1');
    }
    return values;
  }

  #start(parameters: Parameters): void {
    this.#asked = parameters;
    if (this.#host?.isSpent === true) {
      this.#reload(parameters);
      return;
    }
    this.send({ kind: 'start', ask: this.#nextAsk(), parameters, playing: this.playing.value });
  }

  #nextAsk(): number {
    this.#asks += 1;
    this.#unanswered = this.#asks;
    this.patience.expect();
    return this.#asks;
  }

  #answered(ask: number): void {
    if (ask !== this.#unanswered) {
      return;
    }
    this.#unanswered = null;
    this.#awaitFrames();
    const run = this.#whenAnswered;
    this.#whenAnswered = null;
    run?.();
  }

  #awaitFrames(): void {
    if (this.#unanswered !== null || (this.playing.value && !this.isHeld.value)) {
      this.patience.expect();
    } else {
      this.patience.expectNothing();
    }
  }

  /** Whether an experiment measures; who tries to change its scene is told so. */
  #saysHeld(): boolean {
    if (this.isHeld.value) {
      say(() => words('said.held'));
    }
    return this.isHeld.value;
  }

  /** A size of cells that the form no longer shows is not left empty: nobody could see it to mend it. */
  #withUsedCell(draft: Parameters): Parameters {
    const isShown = this.#techniqueOf(draft)?.takesCell ?? true;
    const usual = this.running.value?.cellSize ?? this.catalogue.value?.defaults.cellSize;
    return isShown || Number.isFinite(draft.cellSize) || usual === undefined ? draft : { ...draft, cellSize: usual };
  }

  #hear(said: FromWorker): void {
    switch (said.kind) {
      case 'ready':
        this.catalogue.value = said.catalogue;
        if (this.running.value === null) {
          this.#openAddress();
        }
        break;
      case 'started':
      case 'changed':
        this.#withdrawTrouble();
        if (said.ask === this.#asks) {
          this.#accept(said.parameters);
        } else {
          // Somebody has asked for something else since; until that is answered, this is what runs.
          this.running.value = said.parameters;
        }
        this.#answered(said.ask);
        break;
      case 'refused':
        if (said.ask === this.#asks) {
          this.#answered(said.ask);
          this.#refuse(said.problems);
        }
        break;
      case 'frame':
        this.patience.meet();
        this.#awaitFrames();
        this.#history.add(said.report);
        this.#showFigures(said.report);
        if (said.report.stepped) {
          this.#saidNext?.(said.report);
          this.#saidNext = null;
        }
        hear(said.report.begun, this.running.value);
        break;
      case 'playing':
        this.playing.value = said.playing;
        break;
      case 'view':
        this.isFitted.value = said.fitted;
        this.#seeNothing(said.empty);
        break;
      case 'selected':
        this.#showSelection(said.selection);
        break;
      case 'failed':
        this.experiments.lost();
        this.#unanswered = null;
        this.#whenAnswered = null;
        this.patience.expectNothing();
        this.#withdrawTrouble = reportTrouble(
          () => words('trouble.engine', { message: said.message }),
          () => this.restart(),
          'trouble.restart',
        );
        break;
      default:
        this.experiments.hear(said);
    }
  }

  readonly #showFigures = atMostEvery(FIGURES_MS, (report: FrameReport) => {
    batch(() => {
      this.report.value = report;
      this.moments.value = this.#history.moments();
      this.meanFps.value = this.#history.meanFps();
    });
  });

  readonly #showSelection = atMostEvery(SELECTION_MS, (selection: Selection | null) => {
    if (this.#saySelected) {
      this.#saySelected = false;
      const object = selection?.object;
      say(() => (object === undefined ? words('said.unselected') : words('said.selected', { object })));
    }
    this.selection.value = selection;
  });

  readonly #seeNothing = atMostEvery(EMPTY_MS, (empty: boolean) => {
    this.seesNothing.value = empty;
  });

  #accept(parameters: Parameters): void {
    this.#history.clear();
    // A reset or another technique mends no field that is still wrong.
    const draft = this.draft.value;
    const isMended = draft === null || !changedFields(draft, parameters).some(isOfWorld);
    const problems = isMended ? [] : this.problems.value.filter(({ field }) => isOfWorld(field));
    this.#refused = isMended ? null : this.#refused;
    batch(() => {
      this.running.value = parameters;
      this.#setProblems(problems);
    });
    if (this.#wantedSelection !== null) {
      if (this.#wantedSelection >= parameters.objects) {
        this.#fromAddress?.push('selected');
      }
      this.send({ kind: 'select', object: this.#wantedSelection });
      this.#wantedSelection = null;
    }
    this.#tellFallback();
  }

  #refuse(problems: readonly Problem[]): void {
    const [catalogue, draft] = [this.catalogue.value, this.draft.value];
    if (this.#fromAddress === null || catalogue === null || draft === null) {
      // Asked only for another technique, the engine says nothing about the rest of the form.
      const others = this.#asked === null ? this.problems.value.filter(({ field }) => isOfWorld(field)) : [];
      this.#refused = problems.some(({ field }) => isOfWorld(field)) ? this.#asked : this.#refused;
      this.#setProblems([...others, ...problems]);
      const [first] = problems;
      if (first !== undefined) {
        this.#withdrawRefusal = say(() =>
          words('problem.refused', { field: words(`field.${first.field}`), problem: problemText(first) }),
        );
      }
      return;
    }
    // The address asked for what cannot be: first only the fields that are wrong, then everything.
    const fields = this.#triedDefaults ? changedFields(draft, catalogue.defaults) : problems.map(({ field }) => field);
    const usual = Object.fromEntries(fields.map((field) => [field, catalogue.defaults[field]]));
    this.#fromAddress.push(...fields);
    this.#triedDefaults = true;
    this.draft.value = { ...draft, ...usual };
    this.#start(this.draft.value);
  }

  /** What was said about a problem is not so any more. */
  #setProblems(problems: readonly Problem[]): void {
    this.#withdrawRefusal();
    this.problems.value = problems;
  }

  /** Shows what the address says, or the usual scene. */
  #openAddress(): void {
    const catalogue = this.catalogue.value;
    if (catalogue === null) {
      return;
    }
    const { shown, unreadable } = read(readAddress(), catalogue);
    batch(() => {
      this.draft.value = shown.parameters;
      this.overlays.value = shown.overlays;
      this.experiments.open(shown);
    });
    clearNotice();
    this.#fromAddress = unreadable;
    this.#triedDefaults = false;
    this.#wantedSelection = shown.selected;
    this.#start(shown.parameters);
  }

  #tellFallback(): void {
    const fields = [...new Set(this.#fromAddress)];
    this.#fromAddress = null;
    if (fields.length > 0) {
      notify(() =>
        words('address.fallback', {
          count: fields.length,
          fields: fields.map((field) => words(`field.${field}`)).join(', '),
        }),
      );
    }
  }

  #keepAddress(): void {
    if (this.shown() !== null) {
      writeAddress(() => {
        const shown = this.shown();
        return shown === null ? readAddress() : this.#written(shown);
      });
    }
  }

  #techniqueOf(parameters: Parameters | null) {
    return this.catalogue.value?.techniques.find((technique) => technique.name === parameters?.technique);
  }
}

/** Whether a change of it needs a new world; a technique can be changed while the world goes on. */
function isOfWorld(field: keyof Parameters): boolean {
  return field !== 'technique' && field !== 'cellSize';
}

function changedFields(one: Parameters, other: Parameters | null): (keyof Parameters)[] {
  const fields = Object.keys(one) as (keyof Parameters)[];
  return fields.filter((field) => !Object.is(one[field], other?.[field]));
}
