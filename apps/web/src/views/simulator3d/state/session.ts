/**
 * Session of the 3D view: page-side state and user actions.
 *
 * All state is signals; world and history live in the worker, which reports them. Errors are shown
 * beside the form that caused them.
 */
import { batch, computed, effect, signal } from '@preact/signals';

import { pushHistoryEntry, onAddressChange, readAddress, wantsMainThread } from '../../../shared/address.ts';
import { prefersLessMotion } from '../../../shared/media.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { throttle } from '../../../shared/throttle.ts';
import { BusyIndicator } from '../../../shared/busy-indicator.ts';
import { settings } from '../../../shared/settings.ts';
import type { Playback } from '../../../shared/stage/playback.ts';
import { mountStage } from '../../../shared/stage/mount-stage.ts';
import { pageCanDraw, workersCanDraw } from '../../../shared/stage/worker-or-main-thread.ts';
import { canRunEngine, reportStopped, togglePlaying } from '../../../shared/stage/session.ts';
import { clearNotice, notify } from '../../../shell/notice.tsx';
import { announce, showToast } from '../../../shell/status.tsx';
import { read, DEFAULT_DISPLAY } from './address.ts';
import { themeColors } from './stage-colors.ts';
import { confirmLeaving } from './confirm-leaving.ts';
import { describe } from './describe.ts';
import type { CommitCallback } from '../../../shared/ui/form-entry.ts';
import { playImpacts } from './impact-sound.ts';
import { InLink } from './address-sync.ts';
import { bodyName } from '../i18n/body-names.ts';
import { type EngineError, errorSentence, loadErrorTexts } from '../i18n/engine-errors.ts';
import { methodName, titleOf } from '../i18n/names.ts';
import type { BodyRow, Catalog, Edit, Method, Stats, FromPage, FromWorker, SeekProgress, DisplayOptions, Overlay, PresetSource, Report, Rules, Saved, Solver, Source, Whereabouts, WorldState } from '../workers/protocol.ts';
import { type RequestSource, type SavedScene, type WorkerRequest, WorkerRequests } from '../workers/worker-requests.ts';
import { EditErrors } from './edit-errors.ts';
import { announcementOf } from '../i18n/announcements.ts';
import { comparisonSettings, methodSettings } from './method-settings.ts';
import { Selection } from './selection.ts';
import { LAUNCHER } from '../workers/start.ts';
import { StageProxy } from '../workers/stage-proxy.ts';
import { WorkerStatus } from './worker-status.ts';
import { t3d } from '../i18n/translate.ts';

/** Minimum interval of seeks while dragging the timeline. */
const SCRUB_MS = 50;

export class Session implements Playback {
  readonly catalog = signal<Catalog | null>(null);
  readonly rules = signal<Rules | null>(null);
  readonly bodies = signal<readonly BodyRow[]>([]);
  readonly #status = new WorkerStatus();
  readonly report = this.#status.report;
  readonly moments = this.#status.moments;
  readonly contactsCurve = this.#status.contactsCurve;
  readonly mostContacts = this.#status.mostContacts;
  readonly previousRun = this.#status.previousRun;
  readonly comparedMoments = this.#status.comparedMoments;
  /** Method of the second world of a comparison; null without one. */
  readonly comparedMethod = signal<Method | null>(null);
  /** Why the comparison could not begin. */
  readonly comparisonError = signal<EngineError | null>(null);
  readonly comparison = computed(() => this.report.value?.comparison ?? null);
  readonly isAtStart = computed(() => (this.report.value?.figures.step ?? 0) === 0);
  readonly playing = signal(false);
  readonly display = signal<DisplayOptions>(DEFAULT_DISPLAY);
  readonly speed = signal(1);
  readonly undoable = signal(0);
  readonly redoable = signal(0);
  readonly #origin = signal<PresetSource | null>(null);
  readonly #isUnmodified = signal(true);
  /** The unedited preset; null for the user's own scene. */
  readonly preset = computed(() => (this.#isUnmodified.value ? this.#origin.value : null));
  /** Maximum step of links and recordings. */
  readonly mostSteps = computed(() => this.catalog.value?.mostSteps ?? Infinity);
  readonly editErrors = new EditErrors();
  readonly editError = this.editErrors.last;
  /** Number of opened worlds: input typed for one does not apply to the next. */
  readonly openings = signal(0);
  /** The renderer is not available: the rest works without a picture. */
  readonly hasNoRenderer = signal(false);
  /** The user has not turned or moved the view yet. */
  readonly atHome = signal(true);
  readonly canPlay = computed(() => this.rules.value !== null);
  readonly selection = new Selection({
    bodies: this.bodies,
    status: this.#status,
    editErrors: this.editErrors,
    canPlay: this.canPlay,
    send: (message) => this.send(message),
  });
  /** Target of a long seek. */
  readonly seekProgress = signal<SeekProgress | null>(null);
  readonly #comparedFrom = computed(() => this.comparison.value?.from ?? 0);
  readonly #goal = computed(() => this.seekProgress.value?.to);
  readonly busyIndicator = new BusyIndicator();
  readonly #link = new InLink({
    preset: this.preset,
    mostSteps: this.mostSteps,
    display: this.display,
    speed: this.speed,
    playing: this.playing,
    comparison: computed(() => {
      const method = this.comparedMethod.value;
      return method === null ? null : { method, from: this.#comparedFrom.value };
    }),
    save: (what) => this.#save(what),
  });

  /** A method was chosen, and the comparison has not begun: later starts are not announced. */
  #awaitsComparison = false;
  readonly #requests = new WorkerRequests();
  /** Callback of a drag: whether the stage has grabbed a body. */
  grabbed: ((holds: boolean) => void) | null = null;
  #proxy: StageProxy | null = null;
  #ends: (() => void)[] = [];
  /** The last received scene JSON. */
  #text = '';
  /** Counts address changes: the latest wins, however long each takes to load. */
  #addressVersion = 0;
  #withdrawFailure: () => void = () => undefined;

  /** Mounts the stage in this element, which determines the canvas's size. */
  open(place: HTMLElement): void {
    if (!canRunEngine()) return;
    // Where nothing can be drawn, the engine still runs in a worker.
    const inWorker = workersCanDraw('webgl2') || (workersCanDraw('2d') && !pageCanDraw('webgl2'));
    const thread = inWorker && !wantsMainThread() ? 'worker' : 'page';
    this.#proxy = new StageProxy(mountStage(place, LAUNCHER), thread, (reply) => this.#receive(reply));
    this.playing.value = !prefersLessMotion.value;
    this.#ends = [
      effect(() => this.send({ kind: 'theme', colors: themeColors(settings.isDark.value) })),
      effect(() => this.send({ kind: 'display', display: this.display.value })),
      effect(() => this.send({ kind: 'speed', speed: this.speed.value })),
      effect(() => this.send({ kind: 'compare', settings: comparisonSettings(this.comparedMethod.value) })),
      effect(() => {
        if (this.rules.value !== null) this.#link.write();
      }),
      effect(() => this.#link.awaitRest()),
      effect(() => this.#awaitReports()),
      effect(() => {
        const to = this.#goal.value;
        // Withdrawn when the seek ends.
        return to === undefined ? undefined : announce(() => t3d('announce.going', { step: to }));
      }),
      onAddressChange(() => void this.#openAddress()),
      effect(() => (this.#link.isRestorable.value ? undefined : confirmLeaving())),
    ];
  }

  close(): void {
    this.#ends.forEach((end) => end());
    this.#ends = [];
    this.busyIndicator.idle();
    this.#link.close();
    this.#proxy?.dispose();
    this.#proxy = null;
  }

  send(message: FromPage): void {
    this.#proxy?.send(message);
  }

  describe(): string {
    return describe(this);
  }

  togglePlaying(): void {
    if (this.canPlay.value) togglePlaying(this.playing, (message) => this.send(message));
  }

  step(): void {
    if (this.canPlay.value) this.#expect({ kind: 'step' });
  }

  back(): void {
    if (this.canPlay.value) this.#expect({ kind: 'back' });
  }

  /** Stops a long operation at its current step. */
  stop(): void {
    this.send({ kind: 'stop', requestId: this.#requests.number() });
  }

  reset(): void {
    if (this.canPlay.value) this.seek(0);
  }

  readonly seek = throttle(SCRUB_MS, (step: number) => this.#expect({ kind: 'seek', step: Math.max(0, step) }));

  choosePreset(preset: string, seed: number): void {
    this.#openInstead({ preset, seed });
  }

  openText(text: string, name: string): void {
    this.#openInstead({ text, name });
  }

  edit(edit: Edit, by: RequestSource, onResult?: CommitCallback, done?: () => void): void {
    if (!this.canPlay.value) return;
    this.#expect({ kind: 'edit', requestId: this.#requests.request({ by, onResult, done }), edit });
  }

  /** Runs the scene from its start with this method; the charts show the previous run, too. */
  restartWith(solver: Solver): void {
    if (!this.canPlay.value) return;
    const plays = this.playing.value;
    this.#status.comparePrevious();
    this.#expect({ kind: 'seek', step: 0 });
    // The stage applies it when it has arrived there.
    this.edit({ do: 'rules', json: methodSettings(solver) }, 'rules', undefined, () => plays && this.togglePlaying());
  }

  /** Runs a second world beside the first, from the current state on; null ends that. */
  compareWith(method: Method | null): void {
    this.comparisonError.value = null;
    this.comparedMethod.value = method;
    this.#awaitsComparison = method !== null;
    if (method === null) announce(() => t3d('announce.comparison-ended'));
  }

  removeSelected(): void {
    const key = this.selection.key.value;
    if (key === null) announce(() => t3d('announce.select-first'));
    else this.edit({ do: 'remove', key }, 'objects');
  }

  /** Along the ground as seen, or up and down. */
  pushSelected(across: number, up: number, away: number): void {
    const row = this.selection.row.value;
    if (row === null) announce(() => t3d('announce.select-first'));
    else if (row.type !== 'dynamic') announce(() => t3d('announce.fixed', { name: bodyName(row.name) }));
    else this.edit({ do: 'push', key: row.key, across, up, away }, 'objects');
  }

  toggleOverlay(name: Overlay): void {
    const on = !this.display.value.overlays[name];
    this.setDisplay({ overlays: { ...this.display.value.overlays, [name]: on } });
    announce(() => t3d(on ? 'announce.on' : 'announce.off', { what: t3d(`overlay.${name}`) }));
  }

  setDisplay(change: Partial<DisplayOptions>): void {
    this.display.value = { ...this.display.value, ...change };
  }

  /** The scene JSON as it is now, or the recording; null if the engine failed. */
  async textNow(what: Saved): Promise<string | null> {
    return (await this.#save(what))?.text ?? null;
  }

  /** A link to the scene as it is now; null if no link can hold it. */
  link(): Promise<string | null> {
    return this.#link.now();
  }

  restart(): void {
    if (this.#proxy?.needsReload === true) location.reload();
    else this.#proxy?.restart();
  }

  #save(what: Saved): Promise<SavedScene> {
    return this.#proxy === null ? Promise.resolve(null) : this.#saving(what).saving;
  }

  #saving(what: Saved): { requestId: number; saving: Promise<SavedScene> } {
    let saved: (scene: SavedScene) => void = () => undefined;
    const saving = new Promise<SavedScene>((resolve) => (saved = resolve));
    const requestId = this.#requests.request({ by: 'file', saved });
    this.send({ kind: 'save', requestId, what });
    return { requestId, saving };
  }

  /**
   * Replaces the current scene, which is saved first in any case: a pending edit may make it the
   * user's own. The stage receives both messages in succession, so nothing changes in between, and
   * an unresponsive stage delays nothing.
   */
  #openInstead(source: Source): void {
    this.#open(source, this.rules.value === null ? {} : { leaves: this.#saving('scene') });
  }

  #open(source: Source, how: Pick<WorkerRequest, 'isInstead' | 'leaves' | 'goTo'> = {}, at: Partial<Whereabouts> = {}): void {
    this.#expect({ kind: 'open', requestId: this.#requests.request({ by: 'file', source, ...how }), scene: source, playing: this.playing.value, at });
  }

  /** Sends a message whose response is a report. */
  #expect(message: FromPage): void {
    this.busyIndicator.requestSent();
    this.send(message);
  }

  #awaitReports(): void {
    if (this.playing.value && this.rules.value !== null) this.busyIndicator.requestSent();
    else this.busyIndicator.idle();
  }

  /** A response arrived. While playing further reports follow; otherwise none is expected. */
  #responseReceived(): void {
    if (!this.playing.value) {
      this.busyIndicator.idle();
      return;
    }
    this.busyIndicator.responseReceived();
    this.busyIndicator.requestSent();
  }

  #receive(reply: FromWorker): void {
    switch (reply.kind) {
      case 'ready':
        this.catalog.value = reply.catalog;
        // A previous seek is canceled; the new one has not started.
        this.seekProgress.value = null;
        this.selection.dropPendingChoices();
        this.#requests.dropAllButOpenings();
        // A replacement of an unresponsive engine already has a pending request.
        if (this.rules.value === null && !this.#requests.isOpening) void this.#openAddress();
        break;
      case 'world':
        batch(() => {
          this.#know(reply.world);
          this.#take(reply.report, 'now');
        });
        break;
      case 'opened':
        this.#opened(reply);
        break;
      case 'superseded':
        this.#requests.take(reply.requestId);
        break;
      case 'refused':
        this.#refused(reply);
        break;
      case 'edited':
        this.#edited(reply);
        break;
      case 'json':
        this.#text = reply.text;
        this.#link.know(reply.text, reply.step);
        break;
      case 'report':
        this.#responseReceived();
        this.#take(reply.report, reply.report.stepped ? 'now' : 'soon');
        if (reply.report.stepped) this.#announceStep(reply.report.figures);
        break;
      case 'unchanged':
        this.#unchanged(reply);
        break;
      case 'seeking':
        this.seekProgress.value = reply.seekProgress;
        break;
      case 'playing':
        this.playing.value = reply.playing;
        break;
      case 'selected':
        this.#selected(reply);
        break;
      case 'saved':
        this.#requests.take(reply.requestId)?.saved?.(reply);
        break;
      case 'compared':
        this.#compared(reply.error);
        break;
      case 'no-renderer':
        this.hasNoRenderer.value = true;
        break;
      case 'mark':
        this.selection.mark.value = reply.place;
        break;
      case 'grabbed':
        this.grabbed?.(reply.holds);
        break;
      case 'failed':
        this.#lost();
        this.#withdrawFailure = reportStopped(reply.message, () => this.restart());
        break;
    }
  }

  #know(world: WorldState): void {
    batch(() => {
      this.rules.value = world.rules;
      this.bodies.value = world.bodies ?? this.bodies.value;
      this.undoable.value = world.undoable;
      this.redoable.value = world.redoable;
      this.#isUnmodified.value = world.isUnmodified;
    });
  }

  #opened({ requestId, world, text, report, preset, again }: Extract<FromWorker, { kind: 'opened' }>): void {
    const pendingRequest = this.#requests.take(requestId);
    const left = this.#left(pendingRequest);
    this.selection.dropPendingChoices();
    this.#withdrawFailure();
    this.#status.clear();
    this.#responseReceived();
    batch(() => {
      if (pendingRequest !== undefined) this.openings.value += 1;
      this.atHome.value = report.whereabouts.camera === null;
      if (pendingRequest?.isInstead !== true) this.editErrors.forget();
      // Also after a failure, when the proxy reopens the last world.
      this.#origin.value = preset;
      this.#know(world);
      this.#take(report, 'now');
      this.selection.key.value = this.bodies.value[report.whereabouts.selected ?? -1]?.key ?? null;
    });
    this.#text = text;
    this.#link.begin(text, report.whereabouts.step);
    if (pendingRequest?.goTo !== undefined) this.seek(pendingRequest.goTo);
    if (pendingRequest?.isInstead === true) return;
    pendingRequest?.onResult?.(null);
    const doing = again === null ? '' : `${t3d(again === 'undo' ? 'announce.undone' : 'announce.redone')} `;
    const opened = (): string => doing + t3d('announce.opened', { name: titleOf(this), count: this.bodies.value.length });
    if (left === null) announce(opened);
    else void this.#leave(left, opened);
  }

  /** A link to the world being replaced, if it is the user's own. */
  #left(pendingRequest: WorkerRequest | undefined): Promise<string | null> | null {
    if (pendingRequest?.leaves === undefined) return null;
    const { requestId, saving } = pendingRequest.leaves;
    // Pending saves were lost with the stage.
    this.#requests.take(requestId)?.saved?.(null);
    return this.preset.value === null ? this.#link.leave(saving, this.#text) : null;
  }

  /** Announces how the user's world can be restored, once that is true. */
  async #leave(left: Promise<string | null>, opened: () => string): Promise<void> {
    const addressVersion = this.#addressVersion;
    const link = await left;
    if (this.#proxy === null) return;
    // The user may have navigated to another history entry meanwhile.
    const isInHistory = link !== null && addressVersion === this.#addressVersion && pushHistoryEntry(link);
    // A replaced stage has lost the world.
    const isUndoable = this.undoable.value > 0;
    if (isInHistory) showToast(() => `${opened()} ${t3d(isUndoable ? 'announce.left' : 'announce.left-back')}`);
    else if (isUndoable) showToast(() => `${opened()} ${t3d('announce.left-undo')}`);
    else announce(opened);
  }

  #refused(reply: Extract<FromWorker, { kind: 'refused' }>): void {
    this.#responseReceived();
    this.editErrors.take(this.#requests.take(reply.requestId), reply);
    // Falls back to the first preset.
    const [first] = this.catalog.value?.presets ?? [];
    if (this.rules.value === null && first !== undefined) {
      this.#open({ preset: first.name, seed: 1 }, { isInstead: true });
      notify(() => t3d('address.unreadable'));
    }
  }

  #unchanged({ requestId, edit }: Extract<FromWorker, { kind: 'unchanged' }>): void {
    this.#requests.take(requestId)?.onResult?.(null);
    this.#responseReceived();
    if (edit.do === 'undo' || edit.do === 'redo') announce(() => t3d(edit.do === 'undo' ? 'announce.nothing-undone' : 'announce.nothing-redone'));
  }

  #edited({ requestId, edit, key, from, world, report }: Extract<FromWorker, { kind: 'edited' }>): void {
    const pendingRequest = this.#requests.take(requestId);
    pendingRequest?.onResult?.(null);
    this.#responseReceived();
    const step = report?.figures.step ?? from;
    if (edit.do === 'undo') this.#status.turnBack(step);
    // The step of the redone edit is unknown.
    else if (edit.do === 'redo') this.#status.turnBack('anywhere');
    batch(() => {
      this.editErrors.forget();
      if (world !== null) this.#know(world);
      if (report !== null) this.#take(report, 'now');
    });
    const name = bodyName(this.bodies.value.find((body) => body.key === key)?.name ?? '');
    // Undoing an earlier edit returns to its step.
    announce(() => announcementOf(edit, { name, step, goes: from !== step }));
    pendingRequest?.done?.();
  }

  #selected(reply: Extract<FromWorker, { kind: 'selected' }>): void {
    const isNews = batch(() => {
      const isNews = this.selection.follow(reply);
      this.#take(reply.report, 'now');
      return isNews;
    });
    if (isNews) this.selection.announceSelection();
  }

  #take(report: Report, when: 'now' | 'soon'): void {
    this.#status.take(report);
    if (when === 'now') this.#status.showNow();
    else this.#status.showSoon();
    this.#link.follow(report.whereabouts);
    playImpacts(report.impacts, this.bodies.value);
  }

  #compared(error: EngineError | null): void {
    const [rules, method, isChosen] = [this.rules.value, this.comparedMethod.value, this.#awaitsComparison];
    this.#awaitsComparison = false;
    if (error !== null) {
      void loadErrorTexts().then(() => {
        this.comparisonError.value = error;
        if (isChosen) announce(() => t3d('announce.refused', { what: errorSentence(error) }));
      });
      return;
    }
    this.comparisonError.value = null;
    if (!isChosen || method === null || rules === null) return;
    announce(() => t3d('announce.comparison', { first: methodName(rules, this), second: methodName(method, this) }));
  }

  /** Pending requests will get no response. */
  #lost(): void {
    this.#requests.dropAll();
    this.seekProgress.value = null;
    this.busyIndicator.idle();
  }

  #announceStep({ step, contacts }: Stats): void {
    announce(() => (step === 0 ? t('announce.reset') : t3d('announce.step', { step, count: contacts })));
  }

  /** Opens the world of the address, or the default preset. */
  async #openAddress(): Promise<void> {
    const catalog = this.catalog.value;
    if (catalog === null || this.#proxy === null) return;
    this.#addressVersion += 1;
    const own = this.#addressVersion;
    const { source, shown, invalid, isLost } = await read(readAddress(), catalog);
    // The view may be closed, or the address changed, in the meantime.
    if (this.#proxy === null || own !== this.#addressVersion) return;
    clearNotice();
    const { display, speed, comparison, ...at } = shown;
    // A link with a step shows it paused.
    if (at.step > 0) this.playing.value = false;
    batch(() => {
      this.display.value = display;
      this.speed.value = speed;
      this.comparedMethod.value = comparison?.method ?? null;
    });
    // A comparison begins where both worlds are equal, and goes on to the step of the link.
    const from = comparison?.from ?? at.step;
    this.#open(source, { isInstead: isLost, ...(from < at.step ? { goTo: at.step } : {}) }, { ...at, step: Math.min(from, at.step) });
    const fields = [...new Set(invalid)];
    if (isLost) notify(() => t3d('address.lost'));
    else if (fields.length > 0) notify(() => t('address.fallback', { count: fields.length, fields: fields.join(', ') }));
  }
}
