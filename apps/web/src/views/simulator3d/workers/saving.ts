/** Texts that are saved and opened: scenes, recordings, series. */
import type { Saved, Source } from './protocol.ts';
import type { Engine, Simulator } from './engine.ts';
import type { World } from './world.ts';

/** Time for which rows of a series are computed at once. */
const SERIES_SLICE_MS = 24;

export function textNow({ simulator }: World, what: Saved): string {
  if (what === 'whereabouts') return '';
  return what === 'scene' ? simulator.sceneJson() : simulator.recording();
}

export function textOf(engine: Engine, scene: Source): string {
  if ('text' in scene) return scene.text;
  const text = engine.preset(scene.preset, scene.seed);
  if (text === undefined) throw new Error(`there is no preset ${scene.preset}`);
  return text;
}

/** A copy of the world runs again in slices, between which messages are processed. */
export function saveSeries(simulator: Simulator, guarded: (call: () => void) => void, done: (csv: string) => void): void {
  const series = simulator.series();
  const goOn = (): void =>
    guarded(() => {
      if (!series.advance(SERIES_SLICE_MS)) {
        setTimeout(goOn);
        return;
      }
      const text = series.csv();
      series.free();
      done(text);
    });
  goOn();
}
