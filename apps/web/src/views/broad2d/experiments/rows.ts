/** What do the rows of an experiment say beside each other, and beside the study's? */
import { csv } from '../../../shared/downloads.ts';
import type { Language } from '../../../shared/i18n.ts';
import { fixed, NO_VALUE, plain } from '../../../shared/numbers.ts';
import type { Choice } from '../address.ts';
import type { Catalogue, Experiment, Measured, Published } from '../protocol.ts';

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

/** What the study printed for the same technique on the same kind of world. */
export function published(experiment: Experiment | undefined, row: Measured): Published | undefined {
  const { objects, bounds, technique } = row.parameters;
  return experiment?.published.find(
    (each) => each.objects === objects && each.bounds === bounds && each.technique === technique,
  );
}

/** Where nobody looked for missed pairs there is nothing to say, not even 0. */
export function missedText({ missedPairs }: Measured, language: Language): string {
  return missedPairs === null ? NO_VALUE : plain(missedPairs, language);
}

/** Of a time of so many steps the clock is wrong by a seventh: it hits a step or does not, by chance. */
const STEPS_TO_TELL = 50;

/** Whether the clock could tell how long it took; if not, times are not to be compared. */
export function isTimed({ msPerFrame, frames, clockMs }: Measured): boolean {
  return msPerFrame * frames >= STEPS_TO_TELL * clockMs;
}

/** A time as it is known: about, where the clock hardly moved. */
export function timeText(row: Measured, language: Language): string {
  return `${isTimed(row) ? '' : '≈ '}${fixed(row.msPerFrame, 3, language)}`;
}

/** How many times faster than `technique` on the same world; none if that was not measured, or too short to be. */
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

/** The size of cells that was chosen for the technique; none if it has none or chose itself. */
export function cellOf(catalogue: Catalogue, { parameters }: Measured): number | null {
  const takes = catalogue.techniques.find(({ name }) => name === parameters.technique)?.takesCell ?? false;
  return takes && parameters.cellSize > 0 ? parameters.cellSize : null;
}

export function resultsCsv(choice: Choice, rows: readonly Measured[], catalogue: Catalogue): string {
  const line = (row: Measured): (string | number | null)[] => {
    const { technique, bounds, objects, seed } = row.parameters;
    const isStudy = catalogue.techniques.find(({ name }) => name === technique)?.ofStudy ?? false;
    return [
      choice === 'compare' ? 'custom' : choice,
      technique,
      bounds,
      objects,
      cellOf(catalogue, row),
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
