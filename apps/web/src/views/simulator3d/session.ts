/**
 * What is on the stage, and what does the reader do with it?
 *
 * All state is signals; the world and its past live in the worker, which tells them. What is refused is said beside the
 * form that asked.
 */
import { batch, computed, effect, signal } from '@preact/signals';

import { leaveInHistory, onAddress, readAddress, wantsMainThread } from '../../shared/address.ts';
import { prefersLessMotion } from '../../shared/media.ts';
import { words } from '../../shared/i18n.ts';
import { atMostEvery } from '../../shared/pace.ts';
import { Patience } from '../../shared/patience.ts';
import { settings } from '../../shared/settings.ts';
import type { Driver } from '../../shared/stage/driver.ts';
import { raiseIn } from '../../shared/stage/raise.ts';
import { pageCanDraw, workersCanDraw } from '../../shared/stage/runners.ts';
import { canRunEngine, reportStopped, togglePlaying } from '../../shared/stage/session.ts';
import { clearNotice, notify } from '../../shell/notice.tsx';
import { say, tell } from '../../shell/status.tsx';
import { read, USUAL_LOOKS } from './address.ts';
import { themeColours } from './colours.ts';
import { describe } from './describe.ts';
import type { Answered } from '../../shared/entry.ts';
import { hear } from './impact-sound.ts';
import { InLink, type Preset } from './in-link.ts';
import { titleOf } from './names.ts';
import type { BodyRow, Catalogue, Edit, Figures, FromPage, FromWorker, Going, Looks, Overlay, Report, Rules, Saved, Source, Whereabouts, WorldTold } from './protocol.ts';
import { type Asker, type Kept, type Question, Questions } from './questions.ts';
import { Refusals } from './refusals.ts';
import { saidOf } from './said.ts';
import { Selection } from './selection.ts';
import { BEGINS } from './stage/begins.ts';
import { StageHost } from './stage/host.ts';
import { Telling } from './telling.ts';
import { words3d } from './words.ts';

/** A hand that drags the timeline asks no faster than this. */
const SCRUB_MS = 50;

export class Session implements Driver {
  readonly catalogue = signal<Catalogue | null>(null);
  readonly rules = signal<Rules | null>(null);
  readonly bodies = signal<readonly BodyRow[]>([]);
  readonly #telling = new Telling();
  readonly report = this.#telling.report;
  readonly moments = this.#telling.moments;
  readonly contactsCurve = this.#telling.contactsCurve;
  readonly playing = signal(false);
  readonly looks = signal<Looks>(USUAL_LOOKS);
  readonly speed = signal(1);
  readonly undoable = signal(0);
  readonly redoable = signal(0);
  readonly #origin = signal<Preset | null>(null);
  readonly #isAsOpened = signal(true);
  /** The preset that is shown as it is, or none: a scene of the reader's own. */
  readonly preset = computed(() => (this.#isAsOpened.value ? this.#origin.value : null));
  /** Later ones are gone to by no link, and no recording has them. */
  readonly mostSteps = computed(() => this.catalogue.value?.mostSteps ?? Infinity);
  readonly refusals = new Refusals();
  readonly refusal = this.refusals.last;
  /** How many worlds were asked for and shown: what was typed for one is not meant for the next. */
  readonly openings = signal(0);
  /** Nothing can be drawn here: the rest goes on without a picture. */
  readonly isUnseen = signal(false);
  /** Nobody has turned or moved the view yet. */
  readonly atHome = signal(true);
  readonly canDrive = computed(() => this.rules.value !== null);
  readonly selection = new Selection({
    bodies: this.bodies,
    telling: this.#telling,
    refusals: this.refusals,
    canDrive: this.canDrive,
    send: (message) => this.send(message),
  });
  /** The step that it is on the way to, if that takes long. */
  readonly going = signal<Going | null>(null);
  readonly #goal = computed(() => this.going.value?.to);
  readonly patience = new Patience();
  readonly #link = new InLink({
    preset: this.preset,
    mostSteps: this.mostSteps,
    looks: this.looks,
    speed: this.speed,
    playing: this.playing,
    save: (what) => this.#save(what),
  });

  readonly #questions = new Questions();
  /** Who dragged on a body is told whether it holds. */
  grabbed: ((holds: boolean) => void) | null = null;
  #host: StageHost | null = null;
  #ends: (() => void)[] = [];
  /** The words of the world as it was last told. */
  #text = '';
  /** Of two addresses the later one is shown, however long either takes to be read. */
  #reads = 0;
  #withdrawTrouble: () => void = () => undefined;

  /** Begins in this element, which gives the canvas its size. */
  open(place: HTMLElement): void {
    if (!canRunEngine()) return;
    // Where nothing can be drawn, the page need not wait for the engine either.
    const inWorker = workersCanDraw('webgl2') || (workersCanDraw('2d') && !pageCanDraw('webgl2'));
    const thread = inWorker && !wantsMainThread() ? 'worker' : 'page';
    this.#host = new StageHost(raiseIn(place, BEGINS), thread, (said) => this.#hear(said));
    this.playing.value = !prefersLessMotion.value;
    this.#ends = [
      effect(() => this.send({ kind: 'theme', colours: themeColours(settings.isDark.value) })),
      effect(() => this.send({ kind: 'looks', looks: this.looks.value })),
      effect(() => this.send({ kind: 'speed', speed: this.speed.value })),
      effect(() => {
        if (this.rules.value !== null) this.#link.write();
      }),
      effect(() => this.#link.awaitRest()),
      effect(() => this.#awaitReports()),
      effect(() => {
        const to = this.#goal.value;
        // Taken back when it is over.
        return to === undefined ? undefined : say(() => words3d('said.going', { step: to }));
      }),
      onAddress(() => void this.#openAddress()),
    ];
  }

  close(): void {
    this.#ends.forEach((end) => end());
    this.#ends = [];
    this.patience.expectNothing();
    this.#link.close();
    this.#host?.dispose();
    this.#host = null;
  }

  send(message: FromPage): void {
    this.#host?.send(message);
  }

  describe(): string {
    return describe(this);
  }

  togglePlaying(): void {
    if (this.canDrive.value) togglePlaying(this.playing, (message) => this.send(message));
  }

  step(): void {
    if (this.canDrive.value) this.#expect({ kind: 'step' });
  }

  back(): void {
    if (this.canDrive.value) this.#expect({ kind: 'back' });
  }

  /** Whatever takes long ends where it is. */
  stop(): void {
    this.send({ kind: 'stop', ask: this.#questions.number() });
  }

  reset(): void {
    if (this.canDrive.value) this.seek(0);
  }

  readonly seek = atMostEvery(SCRUB_MS, (step: number) => this.#expect({ kind: 'seek', step: Math.max(0, step) }));

  choosePreset(preset: string, seed: number): void {
    this.#openInstead({ preset, seed });
  }

  openText(text: string, name: string): void {
    this.#openInstead({ text, name });
  }

  edit(edit: Edit, by: Asker, answered?: Answered): void {
    if (!this.canDrive.value) return;
    this.#expect({ kind: 'edit', ask: this.#questions.ask({ by, answered }), edit });
  }

  removeSelected(): void {
    const key = this.selection.key.value;
    if (key === null) say(() => words3d('said.select-first'));
    else this.edit({ do: 'remove', key }, 'objects');
  }

  /** Along the ground as it is seen, or up and down. */
  pushSelected(across: number, up: number, away: number): void {
    const row = this.selection.row.value;
    if (row === null) say(() => words3d('said.select-first'));
    else if (row.type !== 'dynamic') say(() => words3d('said.fixed', { name: row.name }));
    else this.edit({ do: 'push', key: row.key, across, up, away }, 'objects');
  }

  toggleOverlay(name: Overlay): void {
    const on = !this.looks.value.overlays[name];
    this.look({ overlays: { ...this.looks.value.overlays, [name]: on } });
    say(() => words3d(on ? 'said.on' : 'said.off', { what: words3d(`overlay.${name}`) }));
  }

  look(change: Partial<Looks>): void {
    this.looks.value = { ...this.looks.value, ...change };
  }

  /** The words of the scene as it stands, or all that was done since it began; none if the engine died over it. */
  async textNow(what: Saved): Promise<string | null> {
    return (await this.#save(what))?.text ?? null;
  }

  /** A link to the scene as it stands; none if no link can hold it. */
  link(): Promise<string | null> {
    return this.#link.now();
  }

  restart(): void {
    if (this.#host?.isSpent === true) location.reload();
    else this.#host?.restart();
  }

  #save(what: Saved): Promise<Kept> {
    return this.#host === null ? Promise.resolve(null) : this.#saving(what).saving;
  }

  #saving(what: Saved): { ask: number; saving: Promise<Kept> } {
    let saved: (kept: Kept) => void = () => undefined;
    const saving = new Promise<Kept>((resolve) => (saved = resolve));
    const ask = this.#questions.ask({ by: 'file', saved });
    this.send({ kind: 'save', ask, what });
    return { ask, saving };
  }

  /**
   * In the place of what is shown. That is saved first, whatever it is: an edit may be on its way that makes it the reader's own. The
   * stage hears one right after the other, so nothing happens to it in between, and nobody waits for a stage that is deaf.
   */
  #openInstead(source: Source): void {
    this.#open(source, this.rules.value === null ? {} : { leaves: this.#saving('scene') });
  }

  #open(source: Source, how: Pick<Question, 'isInstead' | 'leaves'> = {}, at: Partial<Whereabouts> = {}): void {
    this.#expect({ kind: 'open', ask: this.#questions.ask({ by: 'file', source, ...how }), scene: source, playing: this.playing.value, at });
  }

  /** Sends what is answered by a report. */
  #expect(message: FromPage): void {
    this.patience.expect();
    this.send(message);
  }

  #awaitReports(): void {
    if (this.playing.value && this.rules.value !== null) this.patience.expect();
    else this.patience.expectNothing();
  }

  /** An answer came. What plays is to be told again and again; else there is nothing to come. */
  #meet(): void {
    if (!this.playing.value) {
      this.patience.expectNothing();
      return;
    }
    this.patience.meet();
    this.patience.expect();
  }

  #hear(said: FromWorker): void {
    switch (said.kind) {
      case 'ready':
        this.catalogue.value = said.catalogue;
        // It goes nowhere yet, wherever another one was going.
        this.going.value = null;
        this.selection.forgetChoices();
        this.#questions.keepOpenings();
        // One that replaces a deaf engine has been asked already.
        if (this.rules.value === null && !this.#questions.isOpening) void this.#openAddress();
        break;
      case 'world':
        batch(() => {
          this.#know(said.world);
          this.#take(said.report, 'now');
        });
        break;
      case 'opened':
        this.#opened(said);
        break;
      case 'overtaken':
        this.#questions.take(said.ask);
        break;
      case 'refused':
        this.#refused(said);
        break;
      case 'edited':
        this.#edited(said);
        break;
      case 'words':
        this.#text = said.text;
        this.#link.know(said.text, said.step);
        break;
      case 'report':
        this.#meet();
        this.#take(said.report, said.report.stepped ? 'now' : 'soon');
        if (said.report.stepped) this.#sayStep(said.report.figures);
        break;
      case 'unchanged':
        this.#unchanged(said);
        break;
      case 'going':
        this.going.value = said.going;
        break;
      case 'playing':
        this.playing.value = said.playing;
        break;
      case 'selected':
        this.#selected(said);
        break;
      case 'saved':
        this.#questions.take(said.ask)?.saved?.(said);
        break;
      case 'unseen':
        this.isUnseen.value = true;
        break;
      case 'mark':
        this.selection.mark.value = said.place;
        break;
      case 'grabbed':
        this.grabbed?.(said.holds);
        break;
      case 'failed':
        this.#lost();
        this.#withdrawTrouble = reportStopped(said.message, () => this.restart());
        break;
    }
  }

  #know(world: WorldTold): void {
    batch(() => {
      this.rules.value = world.rules;
      this.bodies.value = world.bodies ?? this.bodies.value;
      this.undoable.value = world.undoable;
      this.redoable.value = world.redoable;
      this.#isAsOpened.value = world.isAsOpened;
    });
  }

  #opened({ ask, world, text, report }: Extract<FromWorker, { kind: 'opened' }>): void {
    const question = this.#questions.take(ask);
    const source = question?.source;
    const left = this.#left(question);
    this.selection.forgetChoices();
    this.#withdrawTrouble();
    this.#telling.clear();
    this.#meet();
    batch(() => {
      if (question !== undefined) this.openings.value += 1;
      this.atHome.value = report.whereabouts.camera === null;
      if (question?.isInstead !== true) this.refusals.forget();
      if (source !== undefined) this.#origin.value = 'preset' in source ? source : null;
      // After a crash the host opens again what was told last: a preset as it is, or the reader's own words.
      else if (this.preset.value === null) this.#origin.value = null;
      this.#know(world);
      this.#take(report, 'now');
      this.selection.key.value = this.bodies.value[report.whereabouts.selected ?? -1]?.key ?? null;
    });
    this.#text = text;
    this.#link.begin(text, report.whereabouts.step);
    if (question?.isInstead === true) return;
    const opened = (): string => words3d('said.opened', { name: titleOf(this), count: this.bodies.value.length });
    if (left === null) say(opened);
    else void this.#leave(left, opened);
  }

  /** A link to the world that this one takes the place of, if it is the reader's own. */
  #left(question: Question | undefined): Promise<string | null> | null {
    if (question?.leaves === undefined) return null;
    const { ask, saving } = question.leaves;
    // What was not saved by now was asked of a stage that is no more.
    this.#questions.take(ask)?.saved?.(null);
    return this.preset.value === null ? this.#link.leave(saving, this.#text) : null;
  }

  /** Nobody is told that their own world can be gone back to until it can. */
  async #leave(left: Promise<string | null>, opened: () => string): Promise<void> {
    const reads = this.#reads;
    const link = await left;
    if (this.#host === null) return;
    // Whoever has gone elsewhere meanwhile stands in another place of the history.
    if (link !== null && reads === this.#reads && leaveInHistory(link)) tell(() => `${opened()} ${words3d('said.left')}`);
    else say(opened);
  }

  #refused(said: Extract<FromWorker, { kind: 'refused' }>): void {
    this.#meet();
    this.refusals.take(this.#questions.take(said.ask), said);
    // Something is always to be seen.
    const [first] = this.catalogue.value?.presets ?? [];
    if (this.rules.value === null && first !== undefined) {
      this.#open({ preset: first.name, seed: 1 }, { isInstead: true });
      notify(() => words3d('address.unreadable'));
    }
  }

  #unchanged({ ask, edit }: Extract<FromWorker, { kind: 'unchanged' }>): void {
    this.#questions.take(ask)?.answered?.(null);
    this.#meet();
    if (edit.do === 'undo' || edit.do === 'redo') say(() => words3d(edit.do === 'undo' ? 'said.nothing-undone' : 'said.nothing-redone'));
  }

  #edited({ ask, edit, key, from, world, report }: Extract<FromWorker, { kind: 'edited' }>): void {
    this.#questions.take(ask)?.answered?.(null);
    this.#meet();
    const step = report?.figures.step ?? from;
    if (edit.do === 'undo') this.#telling.turnBack(step);
    // At which step it was made is not told.
    else if (edit.do === 'redo') this.#telling.turnBack('anywhere');
    batch(() => {
      this.refusals.forget();
      if (world !== null) this.#know(world);
      if (report !== null) this.#take(report, 'now');
    });
    const name = this.bodies.value.find((body) => body.key === key)?.name ?? '';
    // Whoever takes back what was done long ago is there again.
    say(() => saidOf(edit, { name, step, goes: from !== step }));
  }

  #selected(said: Extract<FromWorker, { kind: 'selected' }>): void {
    const isNews = batch(() => {
      const isNews = this.selection.follow(said);
      this.#take(said.report, 'now');
      return isNews;
    });
    if (isNews) this.selection.sayIt();
  }

  #take(report: Report, when: 'now' | 'soon'): void {
    this.#telling.take(report);
    if (when === 'now') this.#telling.showNow();
    else this.#telling.showSoon();
    this.#link.follow(report.whereabouts);
    hear(report.struck, this.bodies.value);
  }

  /** Nothing that was not answered will be. */
  #lost(): void {
    this.#questions.lose();
    this.going.value = null;
    this.patience.expectNothing();
  }

  #sayStep({ step, contacts }: Figures): void {
    say(() => (step === 0 ? words('said.reset') : words3d('said.step', { step, count: contacts })));
  }

  /** Shows what the address says, or the usual scene. */
  async #openAddress(): Promise<void> {
    const catalogue = this.catalogue.value;
    if (catalogue === null || this.#host === null) return;
    this.#reads += 1;
    const own = this.#reads;
    const { source, shown, unreadable, isLost } = await read(readAddress(), catalogue);
    // The view may have been left meanwhile, or another address been read.
    if (this.#host === null || own !== this.#reads) return;
    clearNotice();
    const { looks, speed, ...at } = shown;
    // Only of what stands still a link tells the step.
    if (at.step > 0) this.playing.value = false;
    batch(() => {
      this.looks.value = looks;
      this.speed.value = speed;
    });
    this.#open(source, { isInstead: isLost }, at);
    const fields = [...new Set(unreadable)];
    if (isLost) notify(() => words3d('address.lost'));
    else if (fields.length > 0) notify(() => words('address.fallback', { count: fields.length, fields: fields.join(', ') }));
  }
}
