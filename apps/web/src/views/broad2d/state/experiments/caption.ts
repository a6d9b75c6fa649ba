/** Caption of results: world, seed and frames, without which they cannot be repeated. */
import { t2d } from '../../i18n/translate.ts';
import type { Experiment } from '../../workers/protocol.ts';
import type { Results } from './experiments.ts';
import { worldText } from './world-text.ts';

export function captionOf(results: Results, experiment: Experiment | undefined): string {
  const worlds = experiment?.cases ?? (results.scene === null ? [] : [results.scene]);
  return `${worldText(worlds)} ${t2d('experiment.measured-with', { seed: String(results.seed), count: results.frames })}`;
}
