/**
 * What does the bench do with what the page says?
 *
 * It opens one mesh in its life and builds over it, one structure after the other; between two of them it answers. Promise:
 * a file that cannot be opened is refused in words; whatever the engine dies of is said in a `failed`, once.
 */
import { Keeper } from '../../../shared/stage/keeper.ts';
import {
  type Cast, type Catalogue, type Facts, type FromBench, type Levels, type Place, type Ray, type Sight, type Source, type Structure,
  type Technique, type ToBench, type ToStageByPort, type Tried, type Walk,
} from '../protocol.ts';
import type { Bench, Engine } from './engine.ts';
import { Heater } from './heater.ts';

/** What others need comes first: the tree picks what is clicked, the study's octree tells the levels. */
const ORDER: readonly Technique[] = ['bvh', 'study-octree', 'brute', 'octree'];
/** The octree looks at every triangle many times: of more than these it is built when somebody asks. Of a soup it cuts each. */
const MOST_UNASKED = 300_000;
const MOST_OF_A_SOUP = 20_000;
/** Each structure is tried for so long. */
const TRIAL_MS = 60;
/** Tested triangles that are told: more cannot be looked at. */
const MOST_TESTED = 200_000;
const SCALE_STEPS = 256;

export class Desk {
  readonly #say: (said: FromBench) => void;
  readonly #keeper: Keeper<Engine, ToBench>;
  readonly #heater: Heater;
  #bench: Bench | null = null;
  #facts: Facts | null = null;
  #port: MessagePort | null = null;
  #toBuild: Technique[] = [];
  #isBuilding = false;

  constructor(say: (said: FromBench) => void, load: () => Promise<Engine>) {
    this.#say = say;
    this.#keeper = new Keeper(load, {
      begin: (engine) => {
        const catalogue = JSON.parse(engine.catalogue()) as Catalogue;
        this.#say({ kind: 'ready', catalogue, scale: new Uint8ClampedArray(engine.heatScale(SCALE_STEPS)) });
      },
      act: (message) => this.#act(message),
      ended: () => this.#heater.stop(),
      failed: (message) => this.#say({ kind: 'failed', message }),
    });
    this.#heater = new Heater((call) => this.#keeper.guarded(call), say);
  }

  receive(message: ToBench): void {
    this.#keeper.receive(message);
  }

  /** Nothing is said any more. */
  close(): void {
    if (!this.#keeper.isOver) this.#bench?.free();
    this.#port?.close();
    this.#keeper.end();
  }

  #act(message: ToBench): void {
    if (message.kind === 'port') {
      this.#port = message.port;
      this.#sendMesh();
      return;
    }
    if (message.kind === 'open') {
      this.#open(message.source).catch((error: unknown) => this.#keeper.fail(error));
      return;
    }
    const bench = this.#bench;
    if (bench === null) return;
    switch (message.kind) {
      case 'build':
        this.#toBuild.push(message.technique);
        this.#goOnBuilding();
        break;
      case 'cast': {
        const numbers = numbersOf(message.ray);
        const cast = JSON.parse(bench.cast(numbers)) as Cast;
        const rows = bench.walk(message.technique, numbers);
        const walk: Walk = { technique: message.technique, rows, tested: bench.tested(MOST_TESTED) };
        this.#say({ kind: 'cast', ask: message.ask, cast, walk });
        break;
      }
      case 'boxes':
        this.#post({ kind: 'boxes', boxes: message.depth < 0 ? new Float32Array() : bench.boxes(message.technique, message.depth) });
        break;
      case 'pick': {
        const place = bench.pick(numbersOf(message.ray));
        this.#say({ kind: 'picked', ask: message.ask, place: place === undefined ? null : (JSON.parse(place) as Place) });
        break;
      }
      case 'sight': {
        const [from, to] = message.ends.map((end) => new Float32Array(end)) as [Float32Array, Float32Array];
        const sight = bench.sight(from, to);
        this.#say({ kind: 'sight', ask: message.ask, sight: sight === undefined ? null : (JSON.parse(sight) as Sight) });
        break;
      }
      case 'heat':
        if (this.#keeper.engine !== null) this.#heater.begin(this.#keeper.engine, bench, message.ask, message.asked);
        break;
      case 'stop-heat':
        this.#heater.stop();
        break;
    }
  }

  async #open(source: Source): Promise<void> {
    const engine = this.#keeper.engine;
    if (engine === null) return;
    try {
      if ('file' in source) {
        this.#say({ kind: 'working', stage: 'reading' });
        const bytes = new Uint8Array(await source.file.arrayBuffer());
        if (this.#keeper.isOver) return;
        this.#say({ kind: 'working', stage: 'parsing' });
        const bench = await engine.open(bytes, source.file.name);
        if (this.#keeper.isOver) return;
        this.#bench = bench;
      } else {
        this.#say({ kind: 'working', stage: 'parsing' });
        this.#bench = engine.scene(source.scene, source.count, source.seed);
      }
    } catch (error) {
      // What the engine cannot take; what it dies of, or that it cannot be fetched, is another thing.
      if (!(error instanceof Error) || error.name !== 'Error') throw error;
      this.#say({ kind: 'refused', what: error.message });
      return;
    }
    this.#facts = JSON.parse(this.#bench.facts()) as Facts;
    this.#say({ kind: 'working', stage: 'drawing' });
    this.#sendMesh();
    this.#say({ kind: 'opened', facts: this.#facts });
    const isSoup = 'scene' in source && /^random-(low|medium)$/.test(source.scene);
    const leavesOut = this.#facts.triangles > (isSoup ? MOST_OF_A_SOUP : MOST_UNASKED);
    this.#toBuild = ORDER.filter((technique) => technique !== 'octree' || !leavesOut);
    if (leavesOut) this.#say({ kind: 'left-out', technique: 'octree' });
    this.#goOnBuilding();
  }

  /** One structure, and then whatever was asked meanwhile. */
  #goOnBuilding(): void {
    if (this.#isBuilding) return;
    this.#isBuilding = true;
    const next = (): void => {
      const bench = this.#bench;
      if (bench === null) return;
      const technique = this.#toBuild.shift();
      if (technique === undefined) {
        this.#isBuilding = false;
        this.#say({ kind: 'working', stage: null });
        return;
      }
      this.#say({ kind: 'working', stage: technique });
      const structure = JSON.parse(bench.build(technique)) as Structure;
      const levels = technique === 'study-octree' ? (JSON.parse(bench.levels() ?? 'null') as Levels | null) : null;
      this.#say({ kind: 'built', structure, levels });
      if (this.#toBuild.length === 0) {
        this.#say({ kind: 'working', stage: 'trying' });
        this.#say({ kind: 'tried', tried: JSON.parse(bench.advice(TRIAL_MS)) as Tried });
      }
      setTimeout(() => this.#keeper.guarded(next));
    };
    setTimeout(() => this.#keeper.guarded(next));
  }

  #sendMesh(): void {
    const [bench, facts] = [this.#bench, this.#facts];
    if (bench === null || facts === null || this.#port === null) return;
    bench.draw();
    const [vertices, triangles] = [bench.takeVertices(), bench.takeTriangles()] as [Float32Array<ArrayBuffer>, Uint32Array<ArrayBuffer>];
    this.#post({ kind: 'mesh', vertices, triangles, min: facts.min, max: facts.max }, [vertices.buffer, triangles.buffer]);
  }

  #post(message: ToStageByPort, moved: Transferable[] = []): void {
    this.#port?.postMessage(message, moved);
  }
}

function numbersOf({ origin, direction }: Ray): Float32Array {
  return new Float32Array([...origin, ...direction]);
}
