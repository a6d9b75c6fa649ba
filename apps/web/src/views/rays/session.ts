/**
 * What is on the stage, and what does the reader do with it?
 *
 * All state is signals. The mesh and every answer are the bench's, the picture is the stage's; both are asked when what they
 * depend on changes, and only the newest answer counts.
 */
import { batch, computed, effect, signal } from '@preact/signals';

import { onAddress, readAddress, wantsMainThread, writeAddress, linkTo } from '../../shared/address.ts';
import { words } from '../../shared/i18n.ts';
import { settings } from '../../shared/settings.ts';
import { sound } from '../../shared/sound.ts';
import type { Driver } from '../../shared/stage/driver.ts';
import { Hold } from '../../shared/stage/hold.ts';
import { raiseIn } from '../../shared/stage/raise.ts';
import { pageCanDraw, workersCanDraw } from '../../shared/stage/runners.ts';
import type { Vector } from '../../shared/vector.ts';
import { clearNotice, notify } from '../../shell/notice.tsx';
import { say } from '../../shell/status.tsx';
import { report as reportTrouble } from '../../shell/trouble.tsx';
import { MOST_DEPTH, read, type Shown as InLink, USUAL, write } from './address.ts';
import { Benches } from './benches.ts';
import { themeColours } from './colours.ts';
import { describe, sightInWords } from './describe.ts';
import { rounded, unitFor } from './digits.ts';
import { Heating } from './heating.ts';
import type {
  Cast, Catalogue, Click, Facts, FromBench, FromPage, FromStage, Levels, Place, Ray, Seen, Sight, Source, Stage, Structure, Tag, Technique, Tried,
} from './protocol.ts';
import { VISIT } from './protocol.ts';
import { BEGINS } from './stage/begins.ts';
import { Walked } from './walk.ts';
import { wordsRays } from './words.ts';

/** A point that is placed on a surface stands so far above it, as a share of the mesh: on it, it would see nothing. */
const ABOVE = 0.004;
/** Digits after the point of a direction of length 1. */
const TURN_UNIT = 1e-4;

export interface Refusal {
  name: string;
  /** In the words of the engine, which are English; or in the reader's own language. */
  what: string;
}

export class Session implements Driver {
  readonly catalogue = signal<Catalogue | null>(null);
  readonly scale = signal<Uint8ClampedArray<ArrayBuffer> | null>(null);
  readonly facts = signal<Facts | null>(null);
  readonly source = signal<Source | null>(null);
  /** What is being opened, and what is being done for it. */
  readonly opening = signal<{ name: string; stage: Stage | null } | null>(null);
  /** What the bench is at, of the mesh that is shown. */
  readonly working = signal<Stage | null>(null);
  readonly refusal = signal<Refusal | null>(null);
  readonly structures = signal<Partial<Record<Technique, Structure>>>({});
  readonly leftOut = signal<Technique | null>(null);
  readonly levels = signal<Levels | null>(null);
  readonly tried = signal<Tried | null>(null);
  readonly technique = signal<Technique>(USUAL.technique);
  readonly drawsBoxes = signal(false);
  readonly depth = signal(3);
  readonly click = signal<Click>(USUAL.click);
  readonly ray = signal<Ray | null>(null);
  readonly cast = signal<Cast | null>(null);
  readonly walked = new Walked((step) => this.#heardStep(step));
  readonly ends = signal<[Vector, Vector] | null>(null);
  readonly drawsSight = signal(false);
  readonly sight = signal<Sight | null>(null);
  readonly placed = signal<Vector | null>(null);
  readonly seen = signal<Seen | null>(null);
  readonly heating = new Heating((message) => this.#benches?.post(message), this.facts, this.seen, this.levels);
  readonly tags = signal<readonly Tag[]>([]);
  readonly atHome = signal(true);
  /** Nothing can be drawn here: the rest goes on without a picture. */
  readonly isUnseen = signal(false);
  readonly playing = this.walked.playing;
  readonly canDrive = computed(() => this.walked.count.value > 0);
  /** Of the structure that is looked into. */
  readonly deepest = computed(() => Math.min(MOST_DEPTH, this.structures.value[this.technique.value]?.deepest ?? MOST_DEPTH));
  /** A thousandth of the mesh or less, as a power of ten. */
  readonly unit = computed(() => unitFor(this.size.value));
  readonly size = computed(() => {
    const facts = this.facts.value;
    return facts === null ? 1 : Math.hypot(...facts.max.map((greatest, axis) => greatest - facts.min[axis]!)) || 1;
  });

  #benches: Benches | null = null;
  #stage: Hold<FromPage, FromStage> | null = null;
  #ends: (() => void)[] = [];
  #asks = 0;
  #castAsk = 0;
  /** Which ray in which structure was asked for last, and which is followed. */
  #castKey = '';
  #walkKey = '';
  #sightAsk = 0;
  /** What the next mesh is looked at with: what a link says. */
  #toShow: InLink | null = null;
  /** A link meant this file, and what it says of it. */
  #awaited: { file: string; shown: InLink } | null = null;
  #stepToShow: number | null = null;
  readonly #picks = new Map<number, (place: Place | null) => void>();
  readonly #throughs = new Map<number, (ray: Ray, beside: Vector) => void>();
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
      effect(() => this.#askCast()),
      effect(() => this.#askBoxes()),
      effect(() => this.#askSight()),
      effect(() => this.#show()),
      effect(() => this.#write()),
      onAddress(() => this.#openAddress()),
    ];
  }

  close(): void {
    this.#ends.forEach((end) => end());
    this.#ends = [];
    this.walked.pause();
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
    this.walked.toggle();
    say(() => words(this.playing.value ? 'said.playing' : 'said.paused'));
  }

  step(): void {
    if (this.canDrive.value) this.walked.go(this.walked.step.value + 1);
  }

  back(): void {
    if (this.canDrive.value) this.walked.go(this.walked.step.value - 1);
  }

  reset(): void {
    if (this.canDrive.value) this.walked.go(0);
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

  chooseTechnique(technique: Technique): void {
    this.#stepToShow = null;
    this.technique.value = technique;
    say(() => wordsRays(`structure.${technique}-name`));
  }

  chooseClick(click: Click): void {
    batch(() => {
      this.click.value = click;
      this.placed.value = null;
    });
    say(() => wordsRays(`stage.click.${click}-about`));
  }

  /** A point that was placed first is meant no more. */
  forgetPlaced(): void {
    this.placed.value = null;
  }

  drawBoxes(on: boolean): void {
    this.drawsBoxes.value = on;
    say(() => wordsRays(on ? 'said.boxes-on' : 'said.boxes-off'));
  }

  /** Boxes one level deeper, or less deep. */
  goDeeper(by: 1 | -1): void {
    this.depth.value = Math.min(this.deepest.value, Math.max(0, this.depth.value + by));
    this.drawsBoxes.value = true;
    say(() => wordsRays('said.depth', { depth: this.depth.value }));
  }

  drawSight(on: boolean): void {
    this.drawsSight.value = on;
    say(() => (on ? sightInWords(this) : wordsRays('said.sight-off')));
  }

  setRay(ray: Ray): void {
    this.#stepToShow = null;
    this.ray.value = ray;
  }

  setEnd(which: 0 | 1, end: Vector): void {
    const ends: [Vector, Vector] = [...(this.ends.value ?? [end, end])];
    ends[which] = end;
    batch(() => {
      this.ends.value = ends;
      this.drawsSight.value = true;
    });
  }

  /** What was clicked, or what is in the middle of the view. */
  async clickAt(place: { x: number; y: number } | null): Promise<void> {
    if (this.facts.value === null) return;
    const [ray, beside] = await this.#through(place);
    const found = await this.#pick(ray);
    const point = rounded(found?.point ?? beside, this.unit.value);
    const above = rounded(lifted(found, beside, ABOVE * this.size.value), this.unit.value);
    const origin = this.ray.value?.origin ?? above;
    switch (this.click.value) {
      case 'aim':
        this.setRay({ origin, direction: this.#from(origin, point) });
        break;
      case 'eye': {
        const direction = rounded(ray.direction, TURN_UNIT);
        this.setRay({ origin: rounded(ray.origin, this.unit.value), direction });
        break;
      }
      case 'points':
        if (this.#place(above)) break;
        this.setRay({ origin: this.placed.value!, direction: this.#from(this.placed.value!, point) });
        this.placed.value = null;
        break;
      case 'sight':
        if (this.#place(above)) break;
        batch(() => {
          this.ends.value = [this.placed.value!, above];
          this.drawsSight.value = true;
          this.placed.value = null;
        });
        break;
    }
  }

  restart(): void {
    const source = this.source.value;
    if (this.#benches?.onPage === true) location.reload();
    else if (source !== null) this.#begin(source, this.#inLink());
    else this.#benches?.begin(null);
    if (this.#stage?.hasFailed === true) this.#raiseStage();
  }

  link(): string {
    return linkTo(this.#address());
  }

  #from(origin: Vector, to: Vector): Vector {
    return rounded(to.map((part, axis) => part - origin[axis]!), this.unit.value);
  }

  /** The first of two points waits for the second. Whether this was the first. */
  #place(point: Vector): boolean {
    if (this.placed.value !== null) return false;
    this.placed.value = point;
    say(() => wordsRays('said.placed'));
    return true;
  }

  #through(place: { x: number; y: number } | null): Promise<[Ray, Vector]> {
    const ask = this.#number();
    this.send({ kind: 'through', ask, place });
    return new Promise((resolve) => this.#throughs.set(ask, (ray, beside) => resolve([ray, beside])));
  }

  #pick(ray: Ray): Promise<Place | null> {
    const ask = this.#number();
    this.#benches?.post({ kind: 'pick', ask, ray });
    return new Promise((resolve) => this.#picks.set(ask, resolve));
  }

  #number(): number {
    this.#asks += 1;
    return this.#asks;
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
    this.#askBoxes();
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
        this.#refuse(() => said.what);
        break;
      case 'failed':
        // A scene of ours is no file that could be at fault.
        if (this.#benches === null || this.#benches.onPage || !isFile(this.#benches.opening)) {
          this.#died(said.message);
        } else {
          this.#refuse(() => wordsRays('file.died', { message: said.message }));
        }
        break;
      default:
    }
  }

  #refuse(what: () => string): void {
    const name = this.opening.value?.name ?? '';
    this.#benches?.giveUp();
    batch(() => {
      this.opening.value = null;
      this.refusal.value = { name, what: what() };
    });
    say(() => wordsRays('said.refused', { name, what: what() }));
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
      this.structures.value = {};
      this.leftOut.value = null;
      this.levels.value = null;
      this.tried.value = null;
      this.cast.value = null;
      this.sight.value = null;
      this.placed.value = null;
      this.walked.take(null, null);
      this.#walkKey = '';
      this.working.value = 'bvh';
      this.seen.value = null;
      this.atHome.value = shown?.camera == null;
      if (shown !== null) this.#take(shown);
      this.ray.value = shown?.ray ?? this.#usualRay(facts);
      this.ends.value = shown?.sight ?? this.#usualEnds(facts);
      this.drawsSight.value = shown?.sight != null;
      this.#stepToShow = shown?.step ?? null;
    });
    if (held?.port != null) this.send({ kind: 'port', port: held.port });
    if (shown?.camera != null) this.send({ kind: 'camera', place: shown.camera });
    say(() => wordsRays('said.opened', { name: this.title(), count: facts.triangles }));
  }

  #take({ technique, boxes, click, metric }: InLink): void {
    this.technique.value = technique;
    this.drawsBoxes.value = boxes !== null;
    this.depth.value = boxes ?? this.depth.value;
    this.click.value = click;
    this.heating.metric.value = metric;
  }

  #hear(said: FromBench): void {
    switch (said.kind) {
      case 'working':
        this.working.value = said.stage;
        if (said.stage === null) this.heating.beginUnasked(true);
        break;
      case 'built':
        batch(() => {
          this.structures.value = { ...this.structures.value, [said.structure.name]: said.structure };
          this.levels.value = said.levels ?? this.levels.value;
          if (said.structure.name === this.leftOut.value) this.leftOut.value = null;
        });
        break;
      case 'left-out':
        this.leftOut.value = said.technique;
        break;
      case 'tried':
        this.tried.value = said.tried;
        break;
      case 'cast':
        if (said.ask !== this.#castAsk) break;
        batch(() => {
          this.cast.value = said.cast;
          // Asked again for the sake of another structure, it is the walk that is being followed.
          if (this.#castKey === this.#walkKey && said.walk.rows.length === this.walked.walk.value?.rows.length) return;
          this.walked.take(said.walk, this.#stepToShow);
          this.#walkKey = this.#castKey;
          if (said.walk.rows.length > 0) this.#stepToShow = null;
        });
        break;
      case 'picked':
        this.#picks.get(said.ask)?.(said.place);
        this.#picks.delete(said.ask);
        break;
      case 'sight':
        if (said.ask === this.#sightAsk) this.sight.value = said.sight;
        break;
      case 'heat':
      case 'heat-refused':
        this.heating.hear(said);
        break;
      case 'failed':
        this.#died(said.message);
        break;
      default:
    }
  }

  #died(message: string): void {
    this.#picks.clear();
    this.working.value = null;
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
        this.#throughs.get(said.ask)?.(said.ray, said.beside);
        this.#throughs.delete(said.ask);
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
    return 'file' in source ? facts.name : sceneName(source.scene);
  }

  #usualRay({ min, max }: Facts): Ray {
    const middle = min.map((least, axis) => (least + max[axis]!) / 2);
    const sides = min.map((least, axis) => max[axis]! - least);
    const long = Math.max(...sides);
    const origin = rounded([middle[0]! - 0.5 * sides[0]! - 0.18 * long, max[1] + 0.12 * long, middle[2]! + 0.32 * sides[2]!], this.unit.value);
    return { origin, direction: this.#from(origin, [middle[0]! + 0.12 * sides[0]!, min[1] + 0.3 * sides[1]!, middle[2]! - 0.05 * sides[2]!]) };
  }

  #usualEnds({ min, max }: Facts): [Vector, Vector] {
    const at = (x: number, y: number, z: number): Vector =>
      rounded([x, y, z].map((share, axis) => min[axis]! + share * (max[axis]! - min[axis]!)), this.unit.value);
    return [at(-0.05, 0.6, 0.9), at(1.05, 0.5, 0.1)];
  }

  #askCast(): void {
    const [ray, technique, structures] = [this.ray.value, this.technique.value, this.structures.value];
    if (ray === null || Object.keys(structures).length === 0) return;
    this.#castAsk = this.#number();
    this.#castKey = JSON.stringify([technique, ray]);
    this.#benches?.post({ kind: 'cast', ask: this.#castAsk, ray, technique });
  }

  #askBoxes(): void {
    const depth = this.drawsBoxes.value ? this.depth.value : -1;
    if (this.structures.value[this.technique.value] === undefined) return;
    this.#benches?.post({ kind: 'boxes', technique: this.technique.value, depth });
  }

  #askSight(): void {
    const [ends, structures] = [this.ends.value, this.structures.value];
    if (ends === null || Object.keys(structures).length === 0) return;
    this.#sightAsk = this.#number();
    this.#benches?.post({ kind: 'sight', ask: this.#sightAsk, ends });
  }

  #show(): void {
    const cast = this.cast.value;
    const ends = this.ends.value;
    const t = cast?.structures.find(({ name, t }) => name !== 'study-octree' && t !== null)?.t ?? null;
    const shown = {
      ray: this.ray.value,
      t,
      at: cast?.at ?? null,
      visited: this.walked.visited(),
      tested: this.walked.tested(),
      sight: this.drawsSight.value && ends !== null ? { ends, result: this.sight.value } : null,
      placed: this.placed.value,
    };
    this.send({ kind: 'shown', shown });
  }

  /** Every box is a note, the larger the lower; the answer is a brush of noise. */
  #heardStep(step: number): void {
    const rows = this.walked.walk.value?.rows;
    const at = (step - 1) * VISIT.size;
    if (rows !== undefined && step > 0) {
      const long = Math.max(...[0, 1, 2].map((axis) => rows[at + VISIT.max + axis]! - rows[at + axis]!));
      const share = 1 + Math.log2(Math.max(1e-6, long / this.size.value)) / 8;
      const isEnd = step === this.walked.count.value && this.cast.value?.at != null;
      sound.strike([{ across: 0.5, mass: Math.min(1, Math.max(0, share)), force: Math.min(1, 0.02 + rows[at + VISIT.tests]! / 16), wall: isEnd }]);
    }
    if (!this.playing.value) say(() => wordsRays('said.step', { step, all: this.walked.count.value, count: this.walked.tested().length }));
  }

  #inLink(): InLink {
    const step = this.walked.step.value;
    return {
      technique: this.technique.value,
      boxes: this.drawsBoxes.value ? this.depth.value : null,
      click: this.click.value,
      ray: this.ray.value,
      step: step === this.walked.count.value || this.playing.value ? null : step,
      sight: this.drawsSight.value ? this.ends.value : null,
      metric: this.heating.metric.value,
      camera: this.seen.value === null || this.seen.value.isHome ? null : this.seen.value.place,
    };
  }

  #address(): URLSearchParams {
    const catalogue = this.catalogue.value;
    return catalogue === null ? readAddress() : write(this.source.value, catalogue, this.#inLink());
  }

  #write(): void {
    if (this.facts.value === null) return;
    // Read here, so that whatever it says is written when it changes.
    this.#address();
    writeAddress(() => this.#address());
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

function nameOf(source: Source): string {
  return 'file' in source ? source.file.name : sceneName(source.scene);
}

function isFile(source: Source | null): boolean {
  return source !== null && 'file' in source;
}

export function sceneName(scene: string): string {
  switch (scene) {
    case 'city':
    case 'house':
    case 'random-low':
    case 'random-medium':
    case 'random-high':
      return wordsRays(`scene.${scene}`);
    default:
      return scene;
  }
}

/** A little above the surface, on the side that is seen. */
function lifted(found: Place | null, beside: Vector, by: number): Vector {
  return found === null ? beside : (found.point.map((part, axis) => part + by * found.normal[axis]!) as Vector);
}
