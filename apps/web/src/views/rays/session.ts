/**
 * What is on the stage, and how does another mesh come there?
 *
 * All state is signals. The mesh and every answer are the bench's, the picture is the stage's: what the reader wants to know
 * stands in `chosen`, what the bench knows in `answers`.
 */
import { batch, computed, effect, signal } from '@preact/signals';

import { onAddress, readAddress, wantsMainThread } from '../../shared/address.ts';
import { words } from '../../shared/i18n.ts';
import { settings } from '../../shared/settings.ts';
import type { Driver } from '../../shared/stage/driver.ts';
import { Hold } from '../../shared/stage/hold.ts';
import { raiseIn } from '../../shared/stage/raise.ts';
import { pageCanDraw, workersCanDraw } from '../../shared/stage/runners.ts';
import { inEnglish, inOne, type Told } from '../../shared/told.tsx';
import { clearNotice, notify } from '../../shell/notice.tsx';
import { say } from '../../shell/status.tsx';
import { report as reportTrouble } from '../../shell/trouble.tsx';
import { MOST_DEPTH, read, type Shown as InLink } from './address.ts';
import { Answers } from './answers.ts';
import { Benches } from './benches.ts';
import { Chosen } from './chosen.ts';
import { Clicks } from './clicks.ts';
import { themeColours } from './colours.ts';
import { describe, sightInWords } from './describe.ts';
import { unitFor } from './digits.ts';
import { Heating } from './heating.ts';
import { keepAddress, linkOf, shownBy } from './in-address.ts';
import { nameOf } from './names.ts';
import type { Catalogue, Facts, FromBench, FromPage, FromStage, Seen, Source, Stage, Tag, Technique, ToBench } from './protocol.ts';
import { BEGINS } from './stage/begins.ts';
import { soundStep } from './step-sound.ts';
import { usualOf } from './usual.ts';
import { wordsRays } from './words.ts';

export interface Refusal {
  name: string;
  /** In the words of the engine, which are English; or in the reader's own language. */
  told: () => Told;
}

export class Session implements Driver {
  readonly catalogue = signal<Catalogue | null>(null);
  readonly scale = signal<Uint8ClampedArray<ArrayBuffer> | null>(null);
  readonly facts = signal<Facts | null>(null);
  readonly source = signal<Source | null>(null);
  /** What is being opened, and what is being done for it. */
  readonly opening = signal<{ name: string; stage: Stage | null } | null>(null);
  readonly refusal = signal<Refusal | null>(null);
  readonly seen = signal<Seen | null>(null);
  readonly chosen = new Chosen();
  readonly #post = (message: ToBench): void => this.#benches?.post(message);
  readonly answers = new Answers(this.chosen, this.#post, (step) => this.#heardStep(step));
  readonly heating = new Heating(this.#post, this.facts, this.seen, this.answers.levels);
  readonly tags = signal<readonly Tag[]>([]);
  readonly atHome = signal(true);
  /** Nothing can be drawn here: the rest goes on without a picture. */
  readonly isUnseen = signal(false);
  readonly playing = this.answers.walked.playing;
  readonly canDrive = computed(() => this.answers.walked.count.value > 0);
  /** Of the structure that is looked into. */
  readonly deepest = computed(() => Math.min(MOST_DEPTH, this.answers.structures.value[this.chosen.technique.value]?.deepest ?? MOST_DEPTH));
  /** A thousandth of the mesh or less, as a power of ten. */
  readonly unit = computed(() => unitFor(this.size.value));
  readonly size = computed(() => {
    const facts = this.facts.value;
    return facts === null ? 1 : Math.hypot(...facts.max.map((greatest, axis) => greatest - facts.min[axis]!)) || 1;
  });

  #benches: Benches | null = null;
  #stage: Hold<FromPage, FromStage> | null = null;
  #ends: (() => void)[] = [];
  /** What the next mesh is looked at with: what a link says. */
  #toShow: InLink | null = null;
  /** A link meant this file, and what it says of it. */
  #awaited: { file: string; shown: InLink } | null = null;
  readonly #clicks = new Clicks({ chosen: this.chosen, size: this.size, unit: this.unit, send: (message) => this.send(message), post: this.#post });
  #withdrawTrouble: () => void = () => undefined;

  /** Begins in this element, which gives the canvas its size. */
  open(place: HTMLElement): void {
    if (typeof WebAssembly !== 'object') {
      reportTrouble(() => words('trouble.wasm'));
      return;
    }
    const onPage = wantsMainThread();
    const inWorker = workersCanDraw('webgl2') || (workersCanDraw('2d') && !pageCanDraw('webgl2'));
    this.#stage = new Hold(raiseIn(place, BEGINS), inWorker && !onPage ? 'worker' : 'page', {
      hear: (said) => this.#hearStage(said),
      replace: () => this.#raiseStage(),
    });
    this.#benches = new Benches(typeof Worker === 'function' && !onPage ? 'worker' : 'page', {
      hear: (said) => this.#hear(said),
      hearOpening: (said) => this.#hearOpening(said),
    });
    this.#raiseStage();
    this.#benches.begin(null);
    this.#ends = [
      effect(() => this.send({ kind: 'theme', colours: themeColours(settings.isDark.value) })),
      effect(() => this.answers.askCast()),
      effect(() => this.answers.askBoxes()),
      effect(() => this.answers.askSight()),
      effect(() => this.#show()),
      effect(() => keepAddress(this)),
      onAddress(() => this.#openAddress()),
    ];
  }

  close(): void {
    this.#ends.forEach((end) => end());
    this.#ends = [];
    this.answers.walked.pause();
    this.#benches?.close();
    this.#stage?.dispose();
    this.#benches = null;
    this.#stage = null;
  }

  send(message: FromPage): void {
    this.#stage?.post(message);
  }

  describe(): string {
    return describe(this);
  }

  togglePlaying(): void {
    if (!this.canDrive.value) return;
    this.answers.walked.toggle();
    say(() => words(this.playing.value ? 'said.playing' : 'said.paused'));
  }

  step(): void {
    if (this.canDrive.value) this.answers.walked.go(this.answers.walked.step.value + 1);
  }

  back(): void {
    if (this.canDrive.value) this.answers.walked.go(this.answers.walked.step.value - 1);
  }

  reset(): void {
    if (this.canDrive.value) this.answers.walked.go(0);
  }

  openScene(scene: string, count: number, seed: number): void {
    this.#begin({ scene, count, seed }, null);
  }

  openFile(file: File): void {
    const awaited = this.#awaited?.file === file.name ? this.#awaited.shown : null;
    this.#begin({ file }, awaited);
    if (awaited !== null) clearNotice();
  }

  giveUpOpening(): void {
    this.#benches?.giveUp();
    this.opening.value = null;
    say(() => wordsRays('said.given-up'));
  }

  build(technique: Technique): void {
    this.#benches?.post({ kind: 'build', technique });
  }

  /** Boxes one level deeper, or less deep. */
  goDeeper(by: 1 | -1): void {
    const { depth, drawsBoxes } = this.chosen;
    depth.value = Math.min(this.deepest.value, Math.max(0, depth.value + by));
    drawsBoxes.value = true;
    say(() => wordsRays('said.depth', { depth: depth.value }));
  }

  drawSight(on: boolean): void {
    this.chosen.drawsSight.value = on;
    say(() => (on ? sightInWords(this) : wordsRays('said.sight-off')));
  }

  /** What was clicked, or what is in the middle of the view. */
  async clickAt(place: { x: number; y: number } | null): Promise<void> {
    if (this.facts.value !== null) await this.#clicks.at(place);
  }

  restart(): void {
    const source = this.source.value;
    if (this.#benches?.onPage === true) location.reload();
    else if (source !== null) this.#begin(source, shownBy(this));
    else this.#benches?.begin(null);
    if (this.#stage?.hasFailed === true) this.#raiseStage();
  }

  link(): string {
    return linkOf(this);
  }

  #raiseStage(): void {
    this.#stage?.raise();
    this.send({ kind: 'theme', colours: themeColours(settings.isDark.peek()) });
    const port = this.#benches?.newPort() ?? null;
    if (port === null) return;
    this.send({ kind: 'port', port });
    const camera = this.seen.peek();
    if (camera !== null && !camera.isHome) this.send({ kind: 'camera', place: camera.place });
    this.#show();
    this.answers.askBoxes();
  }

  /** What is shown stays until this is open. */
  #begin(source: Source, shown: InLink | null): void {
    this.#toShow = shown;
    this.refusal.value = null;
    this.opening.value = { name: nameOf(source), stage: null };
    this.#benches?.begin(source);
  }

  #hearOpening(said: FromBench): void {
    switch (said.kind) {
      case 'ready':
        batch(() => {
          this.catalogue.value = said.catalogue;
          this.scale.value = said.scale;
        });
        if (this.#benches?.opening === null) this.#openAddress();
        break;
      case 'working':
        if (this.opening.value !== null) this.opening.value = { ...this.opening.value, stage: said.stage };
        break;
      case 'opened':
        this.#opened(said.facts);
        break;
      case 'refused':
        this.#refuse(() => inEnglish(said.what));
        break;
      case 'failed':
        // A scene of ours is no file that could be at fault.
        if (this.#benches === null || this.#benches.onPage || !isFile(this.#benches.opening)) {
          this.#died(said.message);
        } else {
          this.#refuse(() => ({ text: wordsRays('file.died', { message: said.message }) }));
        }
        break;
      default:
    }
  }

  #refuse(told: () => Told): void {
    const name = this.opening.value?.name ?? '';
    this.#benches?.giveUp();
    batch(() => {
      this.opening.value = null;
      this.refusal.value = { name, told };
    });
    say(() => wordsRays('said.refused', { name, what: inOne(told()) }));
  }

  #opened(facts: Facts): void {
    const held = this.#benches?.promote();
    const shown = this.#toShow;
    this.#toShow = null;
    this.#withdrawTrouble();
    this.heating.forget();
    batch(() => {
      this.facts.value = facts;
      this.source.value = held?.source ?? null;
      this.opening.value = null;
      this.answers.forget();
      this.seen.value = null;
      this.atHome.value = shown?.camera == null;
      if (shown !== null) this.heating.metric.value = shown.metric;
      this.chosen.begin(shown, usualOf(facts, this.unit.value));
    });
    if (held?.port != null) this.send({ kind: 'port', port: held.port });
    if (shown?.camera != null) this.send({ kind: 'camera', place: shown.camera });
    say(() => wordsRays('said.opened', { name: this.title(), count: facts.triangles }));
  }

  #hear(said: FromBench): void {
    switch (said.kind) {
      case 'picked':
        this.#clicks.hearPicked(said.ask, said.place);
        break;
      case 'heat':
      case 'heat-refused':
        this.heating.hear(said);
        break;
      case 'failed':
        this.#died(said.message);
        break;
      default:
        this.answers.hear(said);
        if (said.kind === 'working' && said.stage === null) this.heating.beginUnasked(true);
    }
  }

  #died(message: string): void {
    this.#clicks.lost();
    this.answers.working.value = null;
    this.#withdrawTrouble = reportTrouble(() => words('trouble.engine', { message }), () => this.restart(), 'trouble.restart');
  }

  #hearStage(said: FromStage): void {
    switch (said.kind) {
      case 'unseen':
        this.isUnseen.value = true;
        break;
      case 'seen':
        batch(() => {
          this.seen.value = said.seen;
          this.atHome.value = said.seen.isHome;
        });
        this.heating.beginUnasked();
        break;
      case 'through':
        this.#clicks.hearThrough(said.ask, said.ray, said.beside);
        break;
      case 'tags':
        this.tags.value = said.tags;
        break;
      case 'failed':
        this.#died(said.message);
        break;
      default:
    }
  }

  /** What is shown, by its name. */
  title(): string {
    const [facts, source] = [this.facts.value, this.source.value];
    if (facts === null || source === null) return words('stage.waiting');
    return 'file' in source ? facts.name : nameOf(source);
  }

  #show(): void {
    const { ray, ends, drawsSight, placed } = this.chosen;
    const { walked, sight } = this.answers;
    const cast = this.answers.cast.value;
    const t = cast?.structures.find(({ name, t }) => name !== 'study-octree' && t !== null)?.t ?? null;
    const shown = {
      ray: ray.value,
      t,
      at: cast?.at ?? null,
      visited: walked.visited(),
      tested: walked.tested(),
      sight: drawsSight.value && ends.value !== null ? { ends: ends.value, result: sight.value } : null,
      placed: placed.value,
    };
    this.send({ kind: 'shown', shown });
  }

  #heardStep(step: number): void {
    const { walked, cast } = this.answers;
    soundStep(walked, step, this.size.value, cast.value?.at != null);
    if (!this.playing.value) say(() => wordsRays('said.step', { step, all: walked.count.value, count: walked.tested().length }));
  }

  /** Shows what the address says, or the usual scene. */
  #openAddress(): void {
    const catalogue = this.catalogue.value;
    if (catalogue === null || this.#benches === null) return;
    const { source, file, shown, unreadable } = read(readAddress(), catalogue);
    clearNotice();
    this.#awaited = null;
    const now = this.source.value;
    if (file !== null && now !== null && 'file' in now && now.file.name === file) {
      this.#begin(now, shown);
    } else if (file !== null) {
      this.#awaited = { file, shown };
      this.#start(source, null);
      notify(() => wordsRays('address.file', { file }));
    } else {
      this.#start(source, shown);
    }
    const fields = [...new Set(unreadable)];
    if (fields.length > 0) notify(() => words('address.fallback', { count: fields.length, fields: fields.join(', ') }));
  }

  /** In the bench that waits, or in a new one. */
  #start(source: Source, shown: InLink | null): void {
    if (this.#benches?.isOpening === true && this.#benches.opening === null) {
      this.#toShow = shown;
      this.opening.value = { name: nameOf(source), stage: null };
      this.#benches.open(source);
    } else {
      this.#begin(source, shown);
    }
  }
}

function isFile(source: Source | null): boolean {
  return source !== null && 'file' in source;
}
