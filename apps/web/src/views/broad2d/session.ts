/**
 * What is on the stage, and what does the reader do with it?
 *
 * All state is signals; the world, the view of it and what is selected in it live in the worker, which tells
 * them. Which scene was asked for is `scene`'s business.
 */
import { batch, computed, effect, signal } from '@preact/signals';

import { onAddress, readAddress, wantsMainThread } from '../../shared/address.ts';
import { words } from '../../shared/i18n.ts';
import { prefersLessMotion } from '../../shared/media.ts';
import { Patience } from '../../shared/patience.ts';
import { settings } from '../../shared/settings.ts';
import type { Driver } from '../../shared/stage/driver.ts';
import { raiseIn } from '../../shared/stage/raise.ts';
import { workersCanDraw } from '../../shared/stage/runners.ts';
import { canRunEngine, reportStopped, togglePlaying } from '../../shared/stage/session.ts';
import { clearNotice, notify } from '../../shell/notice.tsx';
import { say } from '../../shell/status.tsx';
import { read } from './address.ts';
import { hear } from './collision-sound.ts';
import { themeColours } from './colours.ts';
import { describe } from './describe.ts';
import { Experiments } from './experiments/experiments.ts';
import { Figures } from './figures.ts';
import { keepAddress, linkOf, reloadWith } from './in-address.ts';
import { problemText } from './problems.ts';
import type { FrameReport, FromPage, FromWorker, Overlays, Parameters } from './protocol.ts';
import { type Question, Scene } from './scene.ts';
import { SeenOfWorld } from './seen.ts';
import { BEGINS } from './stage/begins.ts';
import { StageHost } from './stage/host.ts';

export class Session implements Driver {
  readonly scene = new Scene({
    ask: (question) => this.#ask(question),
    refused: (problem) => {
      const { field } = problem;
      this.#withdrawRefusal = say(() =>
        words('problem.refused', { field: words(`field.${field}`), problem: problemText(problem) }),
      );
    },
    mended: () => this.#withdrawRefusal(),
    opened: (untaken) => {
      if (untaken.length > 0) {
        const named = (): string => untaken.map((field) => words(`field.${field}`)).join(', ');
        notify(() => words('address.fallback', { count: untaken.length, fields: named() }));
      }
    },
  });
  readonly catalogue = this.scene.catalogue;
  readonly draft = this.scene.draft;
  readonly running = this.scene.running;
  readonly problems = this.scene.problems;
  readonly playing = signal(false);
  readonly #figures = new Figures();
  readonly report = this.#figures.report;
  readonly moments = this.#figures.moments;
  readonly meanFps = this.#figures.meanFps;
  readonly seen = new SeenOfWorld();
  readonly overlays = signal<Overlays>({ cells: false, boxes: false });
  readonly experiments = new Experiments(this);
  /** An experiment measures: what would change its scene is locked. */
  readonly isHeld = computed(() => this.experiments.progress.value !== null);
  /** There is a scene, and it is the reader's to play, step and reset. */
  readonly canDrive = computed(() => this.running.value !== null && !this.isHeld.value);
  readonly patience = new Patience();

  readonly technique = computed(() => this.#techniqueOf(this.draft.value));
  readonly runningTechnique = computed(() => this.#techniqueOf(this.running.value));

  #host: StageHost | null = null;
  #ends: (() => void)[] = [];
  #withdrawRefusal: () => void = () => undefined;
  #withdrawTrouble: () => void = () => undefined;

  /** Begins in this element, which gives the canvas its size. */
  open(place: HTMLElement): void {
    if (!canRunEngine()) {
      return;
    }
    this.playing.value = !prefersLessMotion.value;
    const thread = workersCanDraw('2d') && !wantsMainThread() ? 'worker' : 'page';
    this.#host = new StageHost(raiseIn(place, BEGINS), thread, (said) => this.#hear(said));
    this.#ends = [
      effect(() => {
        this.send({ kind: 'theme', colours: themeColours(settings.isDark.value) });
      }),
      effect(() => this.send({ kind: 'overlays', overlays: this.overlays.value })),
      effect(() => keepAddress(this)),
      effect(() => this.#awaitFrames()),
      effect(() => {
        const isLong = this.patience.isWaiting.value && this.scene.isAsking.value;
        // Taken back when it is over.
        return isLong ? say(() => words('said.searching')) : undefined;
      }),
      onAddress(() => this.#openAddress()),
    ];
  }

  close(): void {
    this.#ends.forEach((end) => end());
    this.#ends = [];
    this.patience.expectNothing();
    this.scene.close();
    this.#host?.dispose();
    this.#host = null;
  }

  send(message: FromPage): void {
    this.#host?.send(message);
  }

  link(): string {
    return linkOf(this);
  }

  /** Takes a change of the form, now or when the typing has paused. */
  edit(change: Partial<Parameters>, when: 'now' | 'typing'): void {
    if (!this.#saysHeld()) {
      this.scene.edit(change, when);
    }
  }

  apply(): void {
    this.scene.apply();
  }

  describe(): string {
    return describe(this);
  }

  togglePlaying(): void {
    if (!this.#saysHeld() && this.canDrive.value) {
      togglePlaying(this.playing, (message) => this.send(message));
    }
  }

  step(): void {
    if (!this.#saysHeld() && this.canDrive.value) {
      this.send({ kind: 'step' });
      this.patience.expect();
    }
  }

  reset(): void {
    if (!this.#saysHeld() && this.canDrive.value) {
      this.scene.reset();
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
      this.send({ kind: 'select', object });
    }
  }

  /** The object before or after the one that is selected. */
  selectBy(by: 1 | -1): void {
    if (!this.#saysHeld()) {
      this.send({ kind: 'select-by', by });
    }
  }

  /** Keeps what lies here selected; nothing, if nothing does. */
  pinAt(x: number, y: number): void {
    if (!this.#saysHeld()) {
      this.send({ kind: 'select-at', x, y });
    }
  }

  /** Looks at what lies under the pointer; the pointer is nowhere when it has left the stage. */
  pointAt(place: { x: number; y: number } | null): void {
    if (!this.isHeld.value) {
      this.send({ kind: 'point-at', place });
    }
  }

  restart(): void {
    this.experiments.lost();
    if (this.#host?.isSpent === true) {
      reloadWith(this, this.running.value);
    } else {
      this.#host?.restart();
    }
  }

  #ask({ ask, kind, scene, link }: Question): void {
    // On the page's own thread an engine that has stopped cannot be had anew but with the page.
    if (this.#host?.isSpent === true) {
      reloadWith(this, scene);
    } else if (kind === 'change') {
      this.send({ kind, ask, technique: scene.technique, cellSize: scene.cellSize });
    } else {
      const selected = link === null ? {} : { selected: link.selected };
      this.send({ kind, ask, parameters: scene, playing: this.playing.value, ...selected });
    }
  }

  #awaitFrames(): void {
    if (this.scene.isAsking.value || (this.playing.value && !this.isHeld.value)) {
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

  #hear(said: FromWorker): void {
    switch (said.kind) {
      case 'ready':
        this.catalogue.value = said.catalogue;
        // One that replaces a deaf engine has been asked already, perhaps for something else than the link.
        if (this.running.value === null && !this.scene.isAsking.value) {
          this.#openAddress();
        }
        break;
      case 'started':
      case 'changed':
        this.#withdrawTrouble();
        this.#figures.clear();
        this.scene.hear(said);
        break;
      case 'refused':
        this.scene.hear(said);
        break;
      case 'frame':
        this.patience.meet();
        this.#awaitFrames();
        this.#figures.add(said.report);
        if (said.report.stepped) {
          this.#sayStep(said.report);
        }
        hear(said.report.struck, this.running.value);
        break;
      case 'playing':
        this.playing.value = said.playing;
        break;
      case 'seen':
        this.seen.see(said.seen);
        break;
      case 'selected':
        this.seen.select(said);
        break;
      case 'anew':
        notify(() => words('stage.anew'));
        break;
      case 'failed':
        this.experiments.lost();
        this.scene.lost();
        this.patience.expectNothing();
        this.#withdrawTrouble = reportStopped(said.message, () => this.restart());
        break;
      default:
        this.experiments.hear(said);
    }
  }

  #sayStep({ frame, tests, pairs }: FrameReport): void {
    say(() => words('said.step', { frame, tests, pairs }));
  }

  /** Shows what the address says, or the usual scene. */
  #openAddress(): void {
    const catalogue = this.catalogue.value;
    if (catalogue === null) {
      return;
    }
    const named = read(readAddress(), catalogue);
    clearNotice();
    batch(() => {
      this.overlays.value = named.shown.overlays;
      this.experiments.open(named.shown);
      this.scene.open(named);
    });
  }

  #techniqueOf(parameters: Parameters | null) {
    return this.catalogue.value?.techniques.find((technique) => technique.name === parameters?.technique);
  }
}
