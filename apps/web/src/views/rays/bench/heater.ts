/** How are heat maps made and the bench still asked? A slice at a time, between messages. */
import type { FromBench, Heat, HeatAsked, HeatMap, Metric, Technique } from '../protocol.ts';
import { FOV } from '../../../shared/stage/orbit-camera.ts';
import type { Bench, Engine } from './engine.ts';

/** Longer slices would be felt as a pause by whoever clicks. */
const SLICE_MS = 24;
/** Pictures of a map that grows, at most so often. */
const TOLD_MS = 150;
/** Parts of the scale that pixels are counted in. */
const BINS = 32;

interface Told {
  progress: number;
  width: number;
  height: number;
  metric: Metric;
  most: number;
  maps: { name: Technique; total: number; mean: number; max: number }[];
}

export class Heater {
  readonly #guarded: (call: () => void) => void;
  readonly #say: (said: FromBench) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #toldAt = 0;

  constructor(guarded: (call: () => void) => void, say: (said: FromBench) => void) {
    this.#guarded = guarded;
    this.#say = say;
  }

  begin(engine: Engine, bench: Bench, ask: number, { eye, at, width, height, metric }: HeatAsked): void {
    this.stop();
    try {
      bench.beginHeat(new Float32Array([...eye, ...at]), FOV, width, height, metric);
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) throw error;
      this.#say({ kind: 'heat-refused', ask, what: error instanceof Error ? error.message : String(error) });
      return;
    }
    const goOn = (): void => {
      const isDone = bench.goOnHeating(SLICE_MS);
      const now = performance.now();
      if (isDone || now > this.#toldAt + TOLD_MS) {
        this.#toldAt = now;
        this.#say({ kind: 'heat', ask, heat: heatOf(engine, bench, isDone) });
      }
      if (!isDone) this.#timer = setTimeout(() => this.#guarded(goOn));
    };
    goOn();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

function heatOf(engine: Engine, bench: Bench, isDone: boolean): Heat {
  const told = JSON.parse(bench.heatTold() ?? '') as Told;
  const { most } = told;
  const maps = told.maps.map(({ name, total, mean, max }, place): HeatMap => {
    const heat = bench.heat(place);
    const histogram = Array.from({ length: BINS }, () => 0);
    // Of many pixels few differ: each heat is looked up once.
    const bins = new Map<number, number>();
    for (const each of heat) {
      let bin = bins.get(each);
      if (bin === undefined) {
        bin = Math.min(BINS - 1, Math.floor(engine.heatShade(each, most) * BINS));
        bins.set(each, bin);
      }
      histogram[bin]! += 1;
    }
    const pixels = new Uint8ClampedArray(bench.heatPixels(place));
    const shade = engine.heatShade(Math.round(mean), most);
    return { name, total, mean, max, shade, histogram, pixels, heat: isDone ? heat : null };
  });
  const ticks = [0];
  for (let tick = 1; tick < most; tick *= 10) ticks.push(tick);
  return { ...told, ticks: ticks.map((heat) => ({ heat, shade: engine.heatShade(heat, most) })), maps };
}
