/** Caption of results: world, seed and frames, without which they cannot be repeated. */
import { t2d } from '../../i18n/translate.ts';
import type { Experiment } from '../../workers/protocol.ts';
import type { Results } from './experiments.ts';
import { worldText } from './world-text.ts';

export function captionOf(results: Results, experiment: Experiment | undefined): string {
  // The form may have changed since a scene of its own was measured.
  const own = results.scene === null ? [] : [results.scene, ...results.rows.map(({ parameters }) => parameters)];
  const worlds = results.scene === null ? (experiment?.cases ?? []) : own;
  return `${worldText(worlds)} ${t2d('experiment.measured-with', { seed: String(results.seed), count: results.frames })}`;
}
