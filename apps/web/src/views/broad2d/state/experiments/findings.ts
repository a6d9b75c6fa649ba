/**
 * Findings of Gonçales et al. 2016, compared with the measured rows.
 *
 * Only rankings, in words: absolute times are specific to this machine. Findings whose rows were
 * not measured are omitted.
 */
import { language } from '../../../../shared/i18n/translate.ts';
import { t2d } from '../../i18n/translate.ts';
import { formatBytes, formatDifference, formatNumber, formatSignificant } from '../../../../shared/i18n/number-format.ts';
import type { Bounds, Catalog, Experiment, Measured } from '../../workers/protocol.ts';
import { cellOf, isTimed, published } from './result-rows.ts';

/** "Many" objects: the study gives no number. */
const MANY = 1000;
/** Smaller ratios count as equal: times of the same work vary as much. */
const LEAD = 1.05;

export function findingsOf(experiment: Experiment, rows: readonly Measured[], catalog: Catalog): string[] {
  return experiment.varies === 'cellSize' ? ofCells(rows, catalog) : ofObjects(experiment, rows);
}

function ofCells(rows: readonly Measured[], catalog: Catalog): string[] {
  const grid = rows.flatMap((row) => {
    const cell = cellOf(catalog, row);
    return row.parameters.technique === 'study-grid' && cell !== null ? [{ cell, row }] : [];
  });
  const byTime = grid.filter(({ row }) => isTimed(row)).sort((one, other) => one.row.msPerFrame - other.row.msPerFrame);
  const fastest = byTime.find(({ row }) => row.missedPairs === 0);
  const [smallest, largest] = [grid[0], grid.at(-1)];
  const found: string[] = [];
  if (fastest !== undefined && byTime.length > 2) {
    found.push(t2d('finding.cell', { cell: fastest.cell, ms: formatSignificant(fastest.row.msPerFrame, 3, language.value) }));
  }
  const missing = grid.filter(({ row }) => (row.missedPairs ?? 0) > 0).map(({ cell }) => cell);
  if (missing.length > 0) {
    found.push(t2d('finding.missed', { cell: Math.max(...missing) }));
  }
  if (smallest !== undefined && largest !== undefined && smallest !== largest) {
    found.push(
      t2d('finding.memory', {
        most: formatBytes(smallest.row.bytes, language.value),
        small: smallest.cell,
        least: formatBytes(largest.row.bytes, language.value),
        large: largest.cell,
      }),
    );
  }
  return found;
}

function ofObjects(experiment: Experiment, rows: readonly Measured[]): string[] {
  const of = (technique: string, bounds: Bounds): Measured[] =>
    rows.filter(({ parameters }) => parameters.technique === technique && parameters.bounds === bounds);
  const found: string[] = [];

  for (const bounds of ['aabb', 'circle'] as const) {
    const grid = of('study-grid', bounds);
    const brute = of('study-brute', bounds);
    const last = grid.findLast((row) => brute.some(({ parameters }) => parameters.objects === row.parameters.objects));
    const other = brute.find(({ parameters }) => parameters.objects === last?.parameters.objects);
    if (last !== undefined && last.parameters.objects >= MANY && other !== undefined && isTimed(last) && isTimed(other)) {
      // The finding about many objects does not apply to few.
      const holds = other.msPerFrame / last.msPerFrame > LEAD;
      const theirs = (published(experiment, other)?.ms ?? Number.NaN) / (published(experiment, last)?.ms ?? Number.NaN);
      found.push(
        t2d(holds ? 'finding.grid' : 'finding.grid-not', {
          bounds: t2d(`form.bounds.${bounds}`),
          objects: last.parameters.objects,
          ours: formatSignificant(other.msPerFrame / last.msPerFrame, 3, language.value),
          theirs: formatSignificant(theirs, 3, language.value),
        }),
      );
    }
    const farthest = grid
      .filter((row) => row.parameters.objects >= MANY / 2)
      .flatMap((row) => {
        const tests = published(experiment, row)?.tests;
        return tests === undefined ? [] : [{ row, tests, off: Math.abs(row.testsPerFrame / tests - 1) }];
      })
      .sort((one, next) => next.off - one.off)[0];
    if (farthest !== undefined) {
      found.push(
        t2d('finding.tests', {
          bounds: t2d(`form.bounds.${bounds}`),
          off: formatDifference(farthest.row.testsPerFrame, farthest.tests, language.value),
          objects: farthest.row.parameters.objects,
        }),
      );
    }
  }
  return [...found, ...circlesOrBoxes(of('study-grid', 'aabb'), of('study-grid', 'circle'))];
}

/** The study states both: circles faster everywhere, and boxes faster with few objects. */
function circlesOrBoxes(boxes: readonly Measured[], circles: readonly Measured[]): string[] {
  const ratios = boxes.flatMap((box) => {
    const circle = circles.find(({ parameters }) => parameters.objects === box.parameters.objects);
    return circle === undefined || !isTimed(circle) || !isTimed(box)
      ? []
      : [{ objects: box.parameters.objects, ratio: box.msPerFrame / circle.msPerFrame }];
  });
  if (ratios.length < 3) {
    return [];
  }
  const counts = (ahead: (ratio: number) => boolean): string => {
    const names = ratios.filter(({ ratio }) => ahead(ratio)).map(({ objects }) => formatNumber(objects, language.value));
    return names.length === 0 ? t2d('finding.nowhere') : names.join(', ');
  };
  return [
    t2d('finding.shapes', {
      circles: counts((ratio) => ratio > LEAD),
      boxes: counts((ratio) => ratio < 1 / LEAD),
    }),
  ];
}
