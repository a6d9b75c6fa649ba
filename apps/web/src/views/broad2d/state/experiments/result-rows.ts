/** Result rows: derived columns, published values, CSV. */
import { csv } from '../../../../shared/downloads.ts';
import type { Language } from '../../../../shared/i18n/translate.ts';
import { formatFixed, NO_VALUE, formatNumber, formatPercent } from '../../../../shared/i18n/number-format.ts';
import type { Choice } from '../address.ts';
import type { Catalog, Experiment, Measured, Published } from '../../workers/protocol.ts';

const STUDY_BRUTE = 'study-brute';

/** The columns of a study's `results.csv`: a contract, because scripts read them. */
const COLUMNS = [
  'case',
  'technique',
  'bounds',
  'objects',
  'cell_size',
  'frames',
  'seed',
  'tests_per_frame',
  'pairs_per_frame',
  'ms_per_frame',
  'fps',
  'bytes',
  'cells_per_object',
  'speedup_over_brute',
  'speedup_over_study',
  'missed_pairs',
] as const;

/** The published values for the same technique and kind of world. */
export function published(experiment: Experiment | undefined, row: Measured): Published | undefined {
  const { objects, bounds, technique } = row.parameters;
  return experiment?.published.find(
    (each) => each.objects === objects && each.bounds === bounds && each.technique === technique,
  );
}

/** Empty, not 0, where missed pairs were not counted. */
export function missedText({ missedPairs }: Measured, language: Language): string {
  return missedPairs === null ? NO_VALUE : formatNumber(missedPairs, language);
}

/**
 * A time of this many clock ticks has an error of a seventh: whether a tick is counted is random.
 */
const MIN_CLOCK_TICKS = 50;

/** Whether the clock resolves the time; if not, times must not be compared. */
export function isTimed({ msPerFrame, frames, clockMs }: Measured): boolean {
  return msPerFrame * frames >= MIN_CLOCK_TICKS * clockMs;
}

/**
 * The time with its spread; marked as approximate near the clock's resolution, where the spread is
 * that of the clock.
 */
export function timeText(row: Measured, language: Language): string {
  const time = formatFixed(row.msPerFrame, 3, language);
  if (!isTimed(row)) return `≈ ${time}`;
  return row.spread === null ? time : `${time} ${spreadText(row.spread, language)}`;
}

/** Rounded up: ±0% would claim exactness. */
export function spreadText(spread: number, language: Language): string {
  return `±${formatPercent(Math.max(1, Math.ceil(spread * 100 - 1e-9)) / 100 + 1e-9, language)}`;
}

/** Speedup over `technique` on the same world; null if that was not measured or is unresolved. */
function speedup(rows: readonly Measured[], row: Measured, technique: string): number | null {
  const { objects, bounds } = row.parameters;
  const other = rows.find(
    ({ parameters }) =>
      parameters.technique === technique && parameters.objects === objects && parameters.bounds === bounds,
  );
  return other === undefined || !isTimed(row) || !isTimed(other) ? null : other.msPerFrame / row.msPerFrame;
}

export function speedupOverStudy(rows: readonly Measured[], row: Measured): number | null {
  return speedup(rows, row, STUDY_BRUTE);
}

/** Cell size that was set for the technique; null if it has none or is adaptive. */
export function cellOf(catalog: Catalog, { parameters }: Measured): number | null {
  const takes = catalog.techniques.find(({ name }) => name === parameters.technique)?.takesCell ?? false;
  return takes && parameters.cellSize > 0 ? parameters.cellSize : null;
}

/** Whether the technique chose its cells itself. */
export function hasAdaptiveCells(catalog: Catalog, { parameters }: Measured): boolean {
  const technique = catalog.techniques.find(({ name }) => name === parameters.technique);
  return technique?.takesCell === true && technique.choosesCell && parameters.cellSize === 0;
}

export function resultsCsv(choice: Choice, rows: readonly Measured[], catalog: Catalog): string {
  const line = (row: Measured): (string | number | null)[] => {
    const { technique, bounds, objects, seed } = row.parameters;
    const isStudy = catalog.techniques.find(({ name }) => name === technique)?.ofStudy ?? false;
    return [
      row.capacity !== undefined ? `capacity-${row.capacity.fps}` : choice === 'compare' || choice === 'scaling' ? 'custom' : choice,
      technique,
      bounds,
      objects,
      cellOf(catalog, row),
      row.frames,
      seed,
      row.testsPerFrame,
      row.pairsPerFrame,
      row.msPerFrame,
      row.fps,
      row.bytes,
      row.cellsPerObject,
      speedup(rows, row, isStudy ? STUDY_BRUTE : 'brute'),
      speedupOverStudy(rows, row),
      row.missedPairs,
    ];
  };
  return csv([COLUMNS, ...rows.map(line)]);
}
