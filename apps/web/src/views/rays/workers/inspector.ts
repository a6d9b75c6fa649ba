/**
 * Ray inspector: handles the page's messages in the worker.
 *
 * Opens one mesh in its lifetime and builds the structures one after the other, processing messages
 * in between. An invalid file is rejected with a message; an engine failure is reported in
 * `failed`, exactly once.
 */
import { EngineLifecycle } from '../../../shared/stage/engine-lifecycle.ts';
import {
  FOR_COMPARISON, type Cast, type Catalog, type MeshFacts, type FromInspector, type Levels, type Place, type Ray, type Sight, type Source, type Structure,
  type Technique, type ToInspector, type ToStageByPort, type Tried, type Traversal,
} from './protocol.ts';
import type { MeshInspector, Engine } from './engine.ts';
import { HeatMapJob } from './heat-map-job.ts';
import { aimed, defaultRayOf } from '../state/default-ray.ts';
import { unitFor } from '../state/float-text.ts';

/** Built automatically. In order of dependency: the BVH resolves clicks, the study's octree provides the levels. */
const ORDER: readonly Technique[] = ['bvh', 'study-octree', 'brute', 'octree'];
/**
 * Limit of the automatic octree build, which clips triangles many times, in a soup each of them.
 */
const MAX_AUTOMATIC = 300_000;
const MAX_SOUP_TRIANGLES = 20_000;
/** Measuring time per structure. */
const TRIAL_MS = 60;
/** Maximum number of reported triangle tests. */
const MAX_TESTED = 200_000;
const SCALE_STEPS = 256;

type RenderMesh = Pick<Extract<ToStageByPort, { kind: 'mesh' }>, 'vertices' | 'triangles'>;

export class Inspector {
  readonly #post: (reply: FromInspector) => void;
  readonly #lifecycle: EngineLifecycle<Engine, ToInspector>;
  readonly #heatMapJob: HeatMapJob;
  #inspector: MeshInspector | null = null;
  #facts: MeshFacts | null = null;
  #port: MessagePort | null = null;
  #toBuild: Technique[] = [];
  #isBuilding = false;

  constructor(post: (reply: FromInspector) => void, load: () => Promise<Engine>) {
    this.#post = post;
    this.#lifecycle = new EngineLifecycle(load, {
      begin: (engine) => {
        const catalog = JSON.parse(engine.catalog()) as Catalog;
        this.#post({ kind: 'ready', catalog, scale: new Uint8ClampedArray(engine.heatScale(SCALE_STEPS)) });
      },
      act: (message) => this.#act(message),
      ended: () => this.#heatMapJob.stop(),
      failed: (message) => this.#post({ kind: 'failed', message }),
    });
    this.#heatMapJob = new HeatMapJob((call) => this.#lifecycle.guarded(call), post);
  }

  receive(message: ToInspector): void {
    this.#lifecycle.receive(message);
  }

  /** Sends nothing further. */
  close(): void {
    if (!this.#lifecycle.isOver) this.#inspector?.free();
    this.#port?.close();
    this.#lifecycle.end();
  }

  #act(message: ToInspector): void {
    if (message.kind === 'port') {
      this.#port = message.port;
      if (this.#inspector !== null) this.#sendMesh(this.#renderMesh(this.#inspector));
      return;
    }
    if (message.kind === 'open') {
      this.#open(message.source).catch((error: unknown) => this.#lifecycle.fail(error));
      return;
    }
    const inspector = this.#inspector;
    if (inspector === null) return;
    switch (message.kind) {
      case 'build':
        this.#toBuild.push(message.technique);
        this.#goOnBuilding();
        break;
      case 'cast': {
        const numbers = numbersOf(message.ray);
        const cast = JSON.parse(inspector.cast(numbers)) as Cast;
        const rows = inspector.trace(message.technique, numbers);
        const traversal: Traversal = { technique: message.technique, rows, tested: inspector.tested(MAX_TESTED) };
        this.#post({ kind: 'cast', requestId: message.requestId, cast, traversal });
        break;
      }
      case 'boxes':
        this.#postToStage({ kind: 'boxes', boxes: message.depth < 0 ? new Float32Array() : inspector.boxes(message.technique, message.depth) });
        break;
      case 'pick': {
        const place = inspector.pick(numbersOf(message.ray));
        this.#post({ kind: 'picked', requestId: message.requestId, place: place === undefined ? null : (JSON.parse(place) as Place) });
        break;
      }
      case 'sight': {
        const [from, to] = message.ends.map((end) => new Float32Array(end)) as [Float32Array, Float32Array];
        const sight = inspector.visibility(from, to);
        this.#post({ kind: 'sight', requestId: message.requestId, sight: sight === undefined ? null : (JSON.parse(sight) as Sight) });
        break;
      }
      case 'heat':
        if (this.#lifecycle.engine !== null) this.#heatMapJob.begin(this.#lifecycle.engine, inspector, message.requestId, message.request);
        break;
      case 'stop-heat':
        this.#heatMapJob.stop();
        break;
      case 'save':
        this.#post({ kind: 'saved', bytes: inspector.save(message.format) as Uint8Array<ArrayBuffer>, fileName: message.fileName });
        break;
    }
  }

  async #open(source: Source): Promise<void> {
    const engine = this.#lifecycle.engine;
    if (engine === null) return;
    try {
      if ('file' in source) {
        this.#post({ kind: 'working', stage: 'reading' });
        const bytes = new Uint8Array(await source.file.arrayBuffer());
        if (this.#lifecycle.isOver) return;
        this.#post({ kind: 'working', stage: 'parsing' });
        this.#inspector = engine.open(bytes, source.file.name);
      } else {
        this.#post({ kind: 'working', stage: 'parsing' });
        this.#inspector = engine.scene(source.scene, source.count, source.seed);
      }
    } catch (error) {
      // Rejections are plain errors; failures of the engine are not.
      if (!(error instanceof Error) || error.name !== 'Error') throw error;
      this.#post({ kind: 'refused', what: error.message });
      return;
    }
    this.#facts = JSON.parse(this.#inspector.facts()) as MeshFacts;
    this.#post({ kind: 'working', stage: 'drawing' });
    const mesh = this.#renderMesh(this.#inspector);
    const unit = unitFor(Math.hypot(...this.#facts.max.map((greatest, axis) => greatest - this.#facts!.min[axis]!)) || 1);
    // Before the mesh moves to the stage.
    const ray = aimed(defaultRayOf(this.#facts, unit), mesh, unit);
    this.#sendMesh(mesh);
    this.#post({ kind: 'opened', facts: this.#facts, ray });
    const isSoup = 'scene' in source && /^random-(low|medium)$/.test(source.scene);
    const leavesOut = this.#facts.triangles > (isSoup ? MAX_SOUP_TRIANGLES : MAX_AUTOMATIC);
    this.#toBuild = ORDER.filter((technique) => technique !== 'octree' || !leavesOut);
    this.#post({ kind: 'left-out', techniques: leavesOut ? ['octree', ...FOR_COMPARISON] : [...FOR_COMPARISON] });
    this.#goOnBuilding();
  }

  /** Builds one structure, then processes pending messages. */
  #goOnBuilding(): void {
    if (this.#isBuilding) return;
    this.#isBuilding = true;
    const next = (): void => {
      const inspector = this.#inspector;
      if (inspector === null) return;
      const technique = this.#toBuild.shift();
      if (technique === undefined) {
        this.#isBuilding = false;
        this.#post({ kind: 'working', stage: null });
        return;
      }
      this.#post({ kind: 'working', stage: technique });
      const structure = JSON.parse(inspector.build(technique)) as Structure;
      const levels = technique === 'study-octree' ? (JSON.parse(inspector.levels() ?? 'null') as Levels | null) : null;
      this.#post({ kind: 'built', structure, levels });
      if (this.#toBuild.length === 0) {
        this.#post({ kind: 'working', stage: 'trying' });
        this.#post({ kind: 'tried', tried: JSON.parse(inspector.advice(TRIAL_MS)) as Tried });
      }
      setTimeout(() => this.#lifecycle.guarded(next));
    };
    setTimeout(() => this.#lifecycle.guarded(next));
  }

  #renderMesh(inspector: MeshInspector): RenderMesh {
    inspector.updateRenderMesh();
    return { vertices: inspector.takeVertices(), triangles: inspector.takeTriangles() } as RenderMesh;
  }

  #sendMesh({ vertices, triangles }: RenderMesh): void {
    const facts = this.#facts;
    if (facts === null || this.#port === null) return;
    this.#postToStage({ kind: 'mesh', vertices, triangles, min: facts.min, max: facts.max }, [vertices.buffer, triangles.buffer]);
  }

  #postToStage(message: ToStageByPort, moved: Transferable[] = []): void {
    this.#port?.postMessage(message, moved);
  }
}

function numbersOf({ origin, direction }: Ray): Float32Array {
  return new Float32Array([...origin, ...direction]);
}
