/**
 * Session of the 2D view: page-side state and user actions.
 *
 * All state is signals; world, view and selection live in the worker, which reports them.
 * `SceneForm` holds the requested scene.
 */
import { batch, computed, effect, signal } from '@preact/signals';

import { onAddressChange, readAddress, wantsMainThread } from '../../../shared/address.ts';
import { t2d } from '../i18n/translate.ts';
import { prefersLessMotion } from '../../../shared/media.ts';
import { BusyIndicator } from '../../../shared/busy-indicator.ts';
import { settings } from '../../../shared/settings.ts';
import { capitalized } from '../../../shared/ui/mixed-language-text.tsx';
import type { Playback } from '../../../shared/stage/playback.ts';
import { mountStage } from '../../../shared/stage/mount-stage.ts';
import { workersCanDraw } from '../../../shared/stage/worker-or-main-thread.ts';
import { canRunEngine, reportStopped, togglePlaying } from '../../../shared/stage/session.ts';
import { clearNotice, notify } from '../../../shell/notice.tsx';
import { announce } from '../../../shell/status.tsx';
import { read } from './address.ts';
import { playImpacts } from './collision-sound.ts';
import { themeColors } from './stage-colors.ts';
import { describe } from './describe.ts';
import { Experiments } from './experiments/experiments.ts';
import { FrameStats } from './frame-stats.ts';
import { syncAddress, linkOf, reloadWith } from './address-sync.ts';
import { problemText } from './form-errors.ts';
import type { FrameReport, FromPage, FromWorker, Overlays, Parameters } from '../workers/protocol.ts';
import { type SceneRequest, Scene } from './scene-form.ts';
import { VisibleState } from './visible-state.ts';
import { LAUNCHER } from '../workers/start.ts';
import { StageProxy } from '../workers/stage-proxy.ts';

export class Session implements Playback {
  readonly scene = new Scene({
    request: (pendingRequest) => this.#request(pendingRequest),
    refused: (problem) => {
      const { field } = problem;
      this.#withdrawRefusal = announce(() =>
        t2d('problem.refused', { field: capitalized(t2d(`field.${field}`)), problem: problemText(problem) }),
      );
    },
    resolved: () => this.#withdrawRefusal(),
    opened: (rejected) => {
      if (rejected.length > 0) {
        const named = (): string => rejected.map((field) => t2d(`field.${field}`)).join(', ');
        notify(() => t2d('address.fallback', { count: rejected.length, fields: named() }));
      }
    },
  });
  readonly catalog = this.scene.catalog;
  readonly draft = this.scene.draft;
  readonly running = this.scene.running;
  readonly problems = this.scene.problems;
  readonly playing = signal(false);
  readonly #figures = new FrameStats();
  readonly report = this.#figures.report;
  readonly moments = this.#figures.moments;
  readonly meanFps = this.#figures.meanFps;
  readonly seen = new VisibleState();
  readonly overlays = signal<Overlays>({ cells: false, boxes: false, groups: false, levels: false });
  readonly experiments = new Experiments(this);
  /** An experiment is running: whatever would change its scene is locked. */
  readonly isLocked = computed(() => this.experiments.progress.value !== null);
  /** A scene is loaded, and the user may play, step and reset it. */
  readonly canPlay = computed(() => this.running.value !== null && !this.isLocked.value);
  readonly busyIndicator = new BusyIndicator();

  readonly technique = computed(() => this.#techniqueOf(this.draft.value));
  readonly runningTechnique = computed(() => this.#techniqueOf(this.running.value));

  #proxy: StageProxy | null = null;
  #ends: (() => void)[] = [];
  #withdrawRefusal: () => void = () => undefined;
  #withdrawFailure: () => void = () => undefined;

  /** Mounts the stage in this element, which determines the canvas's size. */
  open(place: HTMLElement): void {
    if (!canRunEngine()) {
      return;
    }
    this.playing.value = !prefersLessMotion.value;
    const thread = workersCanDraw('2d') && !wantsMainThread() ? 'worker' : 'page';
    this.#proxy = new StageProxy(mountStage(place, LAUNCHER), thread, (reply) => this.#receive(reply));
    this.#ends = [
      effect(() => {
        this.send({ kind: 'theme', colors: themeColors(settings.isDark.value) });
      }),
      effect(() => this.send({ kind: 'overlays', overlays: this.overlays.value })),
      effect(() => syncAddress(this)),
      effect(() => this.#awaitFrames()),
      effect(() => {
        const isLong = this.busyIndicator.isBusy.value && this.scene.isPending.value;
        // Withdrawn when the search is over.
        return isLong ? announce(() => t2d('announce.searching')) : undefined;
      }),
      onAddressChange(() => this.#openAddress()),
    ];
  }

  close(): void {
    this.#ends.forEach((end) => end());
    this.#ends = [];
    this.busyIndicator.idle();
    this.scene.close();
    this.#proxy?.dispose();
    this.#proxy = null;
  }

  send(message: FromPage): void {
    this.#proxy?.send(message);
  }

  link(): string {
    return linkOf(this);
  }

  /** Changes the form, applied at once or after the debounce. */
  edit(change: Partial<Parameters>, when: 'now' | 'typing'): void {
    if (!this.#announcesLock()) {
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
    if (!this.#announcesLock() && this.canPlay.value) {
      togglePlaying(this.playing, (message) => this.send(message));
    }
  }

  step(): void {
    if (!this.#announcesLock() && this.canPlay.value) {
      this.send({ kind: 'step' });
      this.busyIndicator.requestSent();
    }
  }

  reset(): void {
    if (!this.#announcesLock() && this.canPlay.value) {
      this.scene.reset();
      announce(() => t2d('announce.reset'));
    }
  }

  toggleOverlay(name: keyof Overlays): void {
    const on = !this.overlays.value[name];
    this.overlays.value = { ...this.overlays.value, [name]: on };
    announce(() => t2d(`announce.${name}-${on ? 'on' : 'off'}`));
  }

  /** Selects this object, or none. */
  select(object: number | null): void {
    if (!this.#announcesLock()) {
      this.send({ kind: 'select', object });
    }
  }

  /** Selects the next or previous object. */
  selectBy(by: 1 | -1): void {
    if (!this.#announcesLock()) {
      this.send({ kind: 'select-by', by });
    }
  }

  /** Selects the object within `reach` of this position, or none; in CSS pixels. */
  pinAt(x: number, y: number, reach: number): void {
    if (!this.#announcesLock()) {
      this.seen.expectClick();
      this.send({ kind: 'select-at', x, y, reach });
    }
  }

  /** Hovers this position; null when the pointer has left the stage. */
  pointAt(place: { x: number; y: number } | null): void {
    if (!this.isLocked.value) {
      this.send({ kind: 'point-at', place });
    }
  }

  restart(): void {
    this.experiments.lost();
    if (this.#proxy?.needsReload === true) {
      reloadWith(this, this.running.value);
    } else {
      this.#proxy?.restart();
    }
  }

  #request({ requestId, kind, scene, link }: SceneRequest): void {
    // On the main thread a failed engine can only be restarted by reloading the page.
    if (this.#proxy?.needsReload === true) {
      reloadWith(this, scene);
    } else if (kind === 'change') {
      this.send({ kind, requestId, technique: scene.technique, cellSize: scene.cellSize });
    } else {
      const selected = link === null ? {} : { selected: link.selected };
      this.send({ kind, requestId, parameters: scene, playing: this.playing.value, ...selected });
    }
  }

  #awaitFrames(): void {
    if (this.scene.isPending.value || (this.playing.value && !this.isLocked.value)) {
      this.busyIndicator.requestSent();
    } else {
      this.busyIndicator.idle();
    }
  }

  /** Whether an experiment is running; if so, announces that the scene is locked. */
  #announcesLock(): boolean {
    if (this.isLocked.value) {
      announce(() => t2d('announce.locked'));
    }
    return this.isLocked.value;
  }

  #receive(reply: FromWorker): void {
    switch (reply.kind) {
      case 'ready':
        this.catalog.value = reply.catalog;
        // A replacement of an unresponsive engine has pending requests already, which may differ
        // from the link.
        if (this.running.value === null && !this.scene.isPending.value) {
          this.#openAddress();
        }
        break;
      case 'started':
      case 'changed':
        this.#withdrawFailure();
        this.#figures.clear();
        this.scene.receive(reply);
        break;
      case 'refused':
        this.scene.receive(reply);
        break;
      case 'frame':
        this.busyIndicator.responseReceived();
        this.#awaitFrames();
        this.#figures.add(reply.report);
        if (reply.report.stepped) {
          this.#announceStep(reply.report);
        }
        playImpacts(reply.report.struck, this.running.value);
        break;
      case 'playing':
        this.playing.value = reply.playing;
        break;
      case 'seen':
        this.seen.see(reply.seen);
        break;
      case 'selected':
        this.seen.select(reply);
        break;
      case 'restarted':
        notify(() => t2d('stage.restarted'));
        break;
      case 'failed':
        this.experiments.lost();
        this.scene.lost();
        this.busyIndicator.idle();
        this.#withdrawFailure = reportStopped(reply.message, () => this.restart());
        break;
      default:
        this.experiments.receive(reply);
    }
  }

  #announceStep({ frame, tests, pairs }: FrameReport): void {
    announce(() => t2d('announce.step', { frame, tests, pairs }));
  }

  /** Opens the scene of the address, or the default one. */
  #openAddress(): void {
    const catalog = this.catalog.value;
    if (catalog === null) {
      return;
    }
    const named = read(readAddress(), catalog);
    clearNotice();
    batch(() => {
      this.overlays.value = named.shown.overlays;
      this.experiments.open(named.shown);
      this.scene.open(named);
    });
  }

  #techniqueOf(parameters: Parameters | null) {
    return this.catalog.value?.techniques.find((technique) => technique.name === parameters?.technique);
  }
}
