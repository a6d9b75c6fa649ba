/** Heat map computation in slices, between which the inspector processes messages. */
import type { FromInspector, Heat, HeatMapRequest, HeatMap, Metric, Technique } from './protocol.ts';
import { FOV } from '../../../shared/webgl/orbit-camera.ts';
import type { MeshInspector, Engine } from './engine.ts';

/** Longer slices would delay the response to clicks noticeably. */
const SLICE_MS = 24;
/** Minimum interval of partial pictures. */
const REPORT_MS = 150;
/** Bins of the histogram. */
const BINS = 32;

interface HeatSummary {
  progress: number;
  width: number;
  height: number;
  metric: Metric;
  most: number;
  maps: { name: Technique; total: number; mean: number; max: number }[];
}

export class HeatMapJob {
  readonly #guarded: (call: () => void) => void;
  readonly #post: (reply: FromInspector) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reportedAt = 0;

  constructor(guarded: (call: () => void) => void, post: (reply: FromInspector) => void) {
    this.#guarded = guarded;
    this.#post = post;
  }

  begin(engine: Engine, inspector: MeshInspector, requestId: number, { eye, at, width, height, metric }: HeatMapRequest): void {
    this.stop();
    try {
      inspector.startHeatMaps(new Float32Array([...eye, ...at]), FOV, width, height, metric);
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) throw error;
      this.#post({ kind: 'heat-refused', requestId, what: error instanceof Error ? error.message : String(error) });
      return;
    }
    const goOn = (): void => {
      const isDone = inspector.advanceHeatMaps(SLICE_MS);
      const now = performance.now();
      if (isDone || now > this.#reportedAt + REPORT_MS) {
        this.#reportedAt = now;
        this.#post({ kind: 'heat', requestId, heat: heatOf(engine, inspector, isDone) });
      }
      if (!isDone) this.#timer = setTimeout(() => this.#guarded(goOn));
    };
    goOn();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

function heatOf(engine: Engine, inspector: MeshInspector, isDone: boolean): Heat {
  const summary = JSON.parse(inspector.heatMapSummary() ?? '') as HeatSummary;
  const { most } = summary;
  const maps = summary.maps.map(({ name, total, mean, max }, place): HeatMap => {
    const heat = inspector.heatMapValues(place);
    const histogram = Array.from({ length: BINS }, () => 0);
    // Few distinct values occur among many pixels: each is looked up once.
    const bins = new Map<number, number>();
    for (const each of heat) {
      let bin = bins.get(each);
      if (bin === undefined) {
        bin = Math.min(BINS - 1, Math.floor(engine.heatShade(each, most) * BINS));
        bins.set(each, bin);
      }
      histogram[bin]! += 1;
    }
    const pixels = new Uint8ClampedArray(inspector.heatMapPixels(place));
    const shade = engine.heatShade(Math.round(mean), most);
    return { name, total, mean, max, shade, histogram, pixels, heat: isDone ? heat : null };
  });
  const ticks = [0];
  for (let tick = 1; tick < most; tick *= 10) ticks.push(tick);
  return { ...summary, ticks: ticks.map((heat) => ({ heat, shade: engine.heatShade(heat, most) })), maps };
}
