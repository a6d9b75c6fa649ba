/**
 * Session of the rays view: page-side state and user actions.
 *
 * All state is signals. The inspector worker owns the mesh and all results, the stage the picture;
 * user inputs are in `InspectorSelection`, results in `InspectorState`.
 */
import { batch, computed, effect, signal } from '@preact/signals';

import { onAddressChange, readAddress, wantsMainThread } from '../../../shared/address.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { save } from '../../../shared/downloads.ts';
import { settings } from '../../../shared/settings.ts';
import type { Playback } from '../../../shared/stage/playback.ts';
import { StageSupervisor } from '../../../shared/stage/stage-supervisor.ts';
import { mountStage } from '../../../shared/stage/mount-stage.ts';
import { pageCanDraw, workersCanDraw } from '../../../shared/stage/worker-or-main-thread.ts';
import { englishText, toSentence, type MixedText } from '../../../shared/ui/mixed-language-text.tsx';
import { clearNotice, notify } from '../../../shell/notice.tsx';
import { announce } from '../../../shell/status.tsx';
import { reportError as reportFailure } from '../../../shell/error-banner.tsx';
import { type MeshFormat, sceneFile } from './commands.ts';
import { MAX_DEPTH, read, type Shown as InLink } from './address.ts';
import { InspectorState } from './inspector-state.ts';
import { InspectorWorkers } from '../workers/inspector-workers.ts';
import { InspectorSelection } from './inspector-selection.ts';
import { Clicks } from './clicks.ts';
import { themeColors } from './stage-colors.ts';
import { describe, describeSight } from './describe.ts';
import { unitFor } from './float-text.ts';
import { HeatMapState } from './heat-map-state.ts';
import { syncAddress, linkOf, linkState } from './address-sync.ts';
import { nameOf, volumeOf } from './mesh-names.ts';
import type { Catalog, MeshFacts, FromInspector, FromPage, FromStage, Ray, Seen, Source, Stage, Tag, Technique, ToInspector } from '../workers/protocol.ts';
import { LAUNCHER } from '../workers/start-stage.ts';
import { soundStep } from './step-sound.ts';
import { defaultEndsOf } from './default-ray.ts';
import { tRays } from '../i18n/translate.ts';

export interface Refusal {
  name: string;
  /** The engine's message in English, or a text in the page's language. */
  content: () => MixedText;
}

export class Session implements Playback {
  readonly catalog = signal<Catalog | null>(null);
  readonly scale = signal<Uint8ClampedArray<ArrayBuffer> | null>(null);
  readonly facts = signal<MeshFacts | null>(null);
  readonly source = signal<Source | null>(null);
  /** The mesh that is being opened, and the current stage of that. */
  readonly opening = signal<{ name: string; stage: Stage | null } | null>(null);
  readonly refusal = signal<Refusal | null>(null);
  readonly seen = signal<Seen | null>(null);
  readonly selection = new InspectorSelection();
  readonly #post = (message: ToInspector): void => this.#inspectors?.post(message);
  readonly results = new InspectorState(this.selection, this.#post, (step) => this.#soundedStep(step));
  readonly heatMaps = new HeatMapState(this.#post, this.facts, this.seen, this.results.levels);
  readonly tags = signal<readonly Tag[]>([]);
  readonly atHome = signal(true);
  /** The renderer is not available: the rest works without a picture. */
  readonly hasNoRenderer = signal(false);
  readonly playing = this.results.playback.playing;
  readonly canPlay = computed(() => this.results.playback.count.value > 0);
  /** Maximum depth of the inspected structure. */
  readonly deepest = computed(() => Math.min(MAX_DEPTH, this.results.structures.value[this.selection.technique.value]?.deepest ?? MAX_DEPTH));
  /** A power of ten, at most a thousandth of the mesh. */
  readonly unit = computed(() => unitFor(this.size.value));
  readonly size = computed(() => {
    const facts = this.facts.value;
    return facts === null ? 1 : Math.hypot(...facts.max.map((greatest, axis) => greatest - facts.min[axis]!)) || 1;
  });

  #inspectors: InspectorWorkers | null = null;
  #stage: StageSupervisor<FromPage, FromStage> | null = null;
  #ends: (() => void)[] = [];
  /** State of a link, for the next mesh. */
  #toShow: InLink | null = null;
  /** A link refers to this file, with this state. */
  #awaited: { file: string; shown: InLink } | null = null;
  readonly #clicks = new Clicks({ selection: this.selection, size: this.size, unit: this.unit, send: (message) => this.send(message), post: this.#post });
  #withdrawFailure: () => void = () => undefined;

  /** Mounts the stage in this element, which determines the canvas's size. */
  open(place: HTMLElement): void {
    if (typeof WebAssembly !== 'object') {
      reportFailure(() => t('failure.wasm'));
      return;
    }
    const onPage = wantsMainThread();
    const inWorker = workersCanDraw('webgl2') || (workersCanDraw('2d') && !pageCanDraw('webgl2'));
    this.#stage = new StageSupervisor(mountStage(place, LAUNCHER), inWorker && !onPage ? 'worker' : 'page', {
      receive: (reply) => this.#receiveFromStage(reply),
      replace: () => this.#launchStage(),
    });
    this.#inspectors = new InspectorWorkers(typeof Worker === 'function' && !onPage ? 'worker' : 'page', {
      receive: (reply) => this.#receive(reply),
      receiveOpening: (reply) => this.#receiveOpening(reply),
    });
    this.#launchStage();
    this.#inspectors.begin(null);
    this.#ends = [
      effect(() => this.send({ kind: 'theme', colors: themeColors(settings.isDark.value) })),
      effect(() => this.results.requestCast()),
      effect(() => this.results.requestBoxes()),
      effect(() => this.results.requestSight()),
      effect(() => this.#show()),
      effect(() => syncAddress(this)),
      onAddressChange(() => this.#openAddress()),
    ];
  }

  close(): void {
    this.#ends.forEach((end) => end());
    this.#ends = [];
    this.results.playback.pause();
    this.#inspectors?.close();
    this.#stage?.dispose();
    this.#inspectors = null;
    this.#stage = null;
  }

  send(message: FromPage): void {
    this.#stage?.post(message);
  }

  describe(): string {
    return describe(this);
  }

  togglePlaying(): void {
    if (!this.canPlay.value) return;
    this.results.playback.toggle();
    announce(() => t(this.playing.value ? 'announce.playing' : 'announce.paused'));
  }

  step(): void {
    if (this.canPlay.value) this.results.playback.go(this.results.playback.step.value + 1);
  }

  back(): void {
    if (this.canPlay.value) this.results.playback.go(this.results.playback.step.value - 1);
  }

  reset(): void {
    if (this.canPlay.value) this.results.playback.go(0);
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
    this.#inspectors?.giveUp();
    this.opening.value = null;
    announce(() => tRays('announce.given-up'));
  }

  build(technique: Technique): void {
    this.#inspectors?.post({ kind: 'build', technique });
  }

  /** Shows boxes one level deeper or less deep. */
  goDeeper(by: 1 | -1): void {
    const { depth, drawsBoxes } = this.selection;
    depth.value = Math.min(this.deepest.value, Math.max(0, depth.value + by));
    drawsBoxes.value = true;
    announce(() => tRays('announce.depth', { depth: depth.value }));
  }

  drawSight(on: boolean): void {
    this.selection.drawSight(on);
    announce(() => (on ? describeSight(this) : tRays('announce.sight-off')));
  }

  /** Handles a click at this place; null: at the center of the view. */
  async clickAt(place: { x: number; y: number } | null): Promise<void> {
    if (this.facts.value !== null) await this.#clicks.at(place);
  }

  restart(): void {
    const source = this.source.value;
    if (this.#inspectors?.onPage === true) location.reload();
    else if (source !== null) this.#begin(source, linkState(this));
    else this.#inspectors?.begin(null);
    if (this.#stage?.hasFailed === true) this.#launchStage();
  }

  /** Saves a generated scene, as `embate scene` writes it. */
  saveScene(format: MeshFormat): void {
    const source = this.source.value;
    if (source !== null && 'scene' in source) this.#post({ kind: 'save', format, fileName: sceneFile(source, format, this.catalog.value) });
  }

  link(): string {
    return linkOf(this);
  }

  #launchStage(): void {
    this.#stage?.launch();
    this.send({ kind: 'theme', colors: themeColors(settings.isDark.peek()) });
    const port = this.#inspectors?.newPort() ?? null;
    if (port === null) return;
    this.send({ kind: 'port', port });
    const camera = this.seen.peek();
    if (camera !== null && !camera.isHome) this.send({ kind: 'camera', place: camera.place });
    this.#show();
    this.results.requestBoxes();
  }

  /** The current mesh stays until this one is open. */
  #begin(source: Source, shown: InLink | null): void {
    this.#toShow = shown;
    this.refusal.value = null;
    this.opening.value = { name: nameOf(source), stage: null };
    this.#inspectors?.begin(source);
  }

  #receiveOpening(reply: FromInspector): void {
    switch (reply.kind) {
      case 'ready':
        batch(() => {
          this.catalog.value = reply.catalog;
          this.scale.value = reply.scale;
        });
        if (this.#inspectors?.opening === null) this.#openAddress();
        break;
      case 'working':
        if (this.opening.value !== null) this.opening.value = { ...this.opening.value, stage: reply.stage };
        break;
      case 'opened':
        this.#opened(reply.facts, reply.ray);
        break;
      case 'refused':
        this.#refuse(() => englishText(reply.what));
        break;
      case 'failed':
        // A built-in scene cannot be a faulty file.
        if (this.#inspectors === null || this.#inspectors.onPage || !isFile(this.#inspectors.opening)) {
          this.#died(reply.message);
        } else {
          this.#refuse(() => ({ text: tRays('file.died', { message: reply.message }) }));
        }
        break;
      default:
    }
  }

  #refuse(content: () => MixedText): void {
    const name = this.opening.value?.name ?? '';
    this.#inspectors?.giveUp();
    batch(() => {
      this.opening.value = null;
      this.refusal.value = { name, content };
    });
    announce(() => tRays('announce.refused', { name, what: toSentence(content()) }));
  }

  #opened(facts: MeshFacts, ray: Ray): void {
    const worker = this.#inspectors?.promote();
    const shown = this.#toShow;
    this.#toShow = null;
    this.#withdrawFailure();
    this.heatMaps.forget();
    batch(() => {
      this.facts.value = facts;
      this.source.value = worker?.source ?? null;
      this.opening.value = null;
      this.results.forget();
      this.seen.value = null;
      this.atHome.value = shown?.camera == null;
      if (shown !== null) this.heatMaps.metric.value = shown.metric;
      this.selection.begin(shown, { ray, ends: defaultEndsOf(facts, this.unit.value) });
    });
    if (worker?.port != null) this.send({ kind: 'port', port: worker.port });
    if (shown?.camera != null) this.send({ kind: 'camera', place: shown.camera });
    announce(() => tRays('announce.opened', { name: this.title(), count: facts.triangles }));
  }

  #receive(reply: FromInspector): void {
    switch (reply.kind) {
      case 'picked':
        this.#clicks.receivePick(reply.requestId, reply.place);
        break;
      case 'heat':
      case 'heat-refused':
        this.heatMaps.receive(reply);
        break;
      case 'saved':
        save(new Blob([reply.bytes]), reply.fileName);
        announce(() => t('announce.saved', { file: reply.fileName }));
        break;
      case 'failed':
        this.#died(reply.message);
        break;
      default:
        this.results.receive(reply);
        if (reply.kind === 'working' && reply.stage === null) this.heatMaps.startAutomatic(true);
    }
  }

  #died(message: string): void {
    this.#clicks.lost();
    this.results.working.value = null;
    this.#withdrawFailure = reportFailure(() => t('failure.engine', { message }), () => this.restart(), 'failure.restart');
  }

  #receiveFromStage(reply: FromStage): void {
    switch (reply.kind) {
      case 'no-renderer':
        this.hasNoRenderer.value = true;
        break;
      case 'seen':
        batch(() => {
          this.seen.value = reply.seen;
          this.atHome.value = reply.seen.isHome;
        });
        this.heatMaps.startAutomatic();
        break;
      case 'through':
        this.#clicks.receiveThrough(reply.requestId, reply.ray, reply.beside);
        break;
      case 'tags':
        this.tags.value = reply.tags;
        break;
      case 'failed':
        this.#died(reply.message);
        break;
      default:
    }
  }

  /** Display name of the mesh. */
  title(): string {
    const [facts, source] = [this.facts.value, this.source.value];
    if (facts === null || source === null) return t('stage.waiting');
    return 'file' in source ? facts.name : nameOf(source);
  }

  #show(): void {
    const { ray, ends, drawsSight, placed, isPlacingSight } = this.selection;
    const { playback, sight } = this.results;
    const cast = this.results.cast.value;
    const t = cast?.structures.find(({ name, t }) => name !== 'study-octree' && t !== null)?.t ?? null;
    const shown = {
      ray: ray.value,
      t,
      at: cast?.at ?? null,
      visited: playback.visited(),
      tested: playback.tested(),
      // Between two clicks the previous line would contradict the point that is placed.
      sight: drawsSight.value && ends.value !== null && !isPlacingSight.value ? { ends: ends.value, result: sight.value } : null,
      placed: placed.value,
    };
    this.send({ kind: 'shown', shown });
  }

  #soundedStep(step: number): void {
    const { playback, cast } = this.results;
    soundStep(playback, step, this.size.value, cast.value?.at != null);
    if (!this.playing.value) announce(() => tRays(`announce.step-${volumeOf(this.selection.technique.value)}`, { step, all: playback.count.value, count: playback.tested().length }));
  }

  /** Opens the mesh of the address, or the default scene. */
  #openAddress(): void {
    const catalog = this.catalog.value;
    if (catalog === null || this.#inspectors === null) return;
    const { source, file, shown, invalid } = read(readAddress(), catalog);
    clearNotice();
    this.#awaited = null;
    const now = this.source.value;
    if (file !== null && now !== null && 'file' in now && now.file.name === file) {
      this.#begin(now, shown);
    } else if (file !== null) {
      this.#awaited = { file, shown };
      this.#start(source, null);
      notify(() => tRays('address.file', { file }));
    } else {
      this.#start(source, shown);
    }
    const fields = [...new Set(invalid)];
    if (fields.length > 0) notify(() => t('address.fallback', { count: fields.length, fields: fields.join(', ') }));
  }

  /** In the idle worker, or in a new one. */
  #start(source: Source, shown: InLink | null): void {
    if (this.#inspectors?.isOpening === true && this.#inspectors.opening === null) {
      this.#toShow = shown;
      this.opening.value = { name: nameOf(source), stage: null };
      this.#inspectors.open(source);
    } else {
      this.#begin(source, shown);
    }
  }
}

function isFile(source: Source | null): boolean {
  return source !== null && 'file' in source;
}
