/** What do the rows of an experiment say beside each other, and beside the study's? */
import { csv } from '../../../shared/downloads.ts';
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

/** How many times faster than `technique` on the same world; none if that was not measured. */
function speedup(rows: readonly Measured[], row: Measured, technique: string): number | null {
  const { objects, bounds } = row.parameters;
  const other = rows.find(
    ({ parameters }) =>
      parameters.technique === technique && parameters.objects === objects && parameters.bounds === bounds,
  );
  return other === undefined || row.msPerFrame === 0 ? null : other.msPerFrame / row.msPerFrame;
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
      // The page does not count it.
      null,
      speedup(rows, row, isStudy ? STUDY_BRUTE : 'brute'),
      speedupOverStudy(rows, row),
      row.missedPairs,
    ];
  };
  return csv([COLUMNS, ...rows.map(line)]);
}
