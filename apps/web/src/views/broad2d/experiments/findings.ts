/**
 * What did the study find, and what do these rows say to it?
 *
 * Only who is ahead and where, in words: times are this machine's. A finding whose rows were not
 * measured is left out.
 */
import { language, words } from '../../../shared/i18n.ts';
import { bytes, difference, plain, significant } from '../../../shared/numbers.ts';
import type { Bounds, Catalogue, Experiment, Measured } from '../protocol.ts';
import { cellOf, isTimed, published } from './rows.ts';

/** "Many" objects: the study gives no number. */
const MANY = 1000;
/** A lead below this is none: times of the same work differ as much. */
const LEAD = 1.05;

export function findingsOf(experiment: Experiment, rows: readonly Measured[], catalogue: Catalogue): string[] {
  return experiment.varies === 'cellSize' ? ofCells(rows, catalogue) : ofObjects(experiment, rows);
}

function ofCells(rows: readonly Measured[], catalogue: Catalogue): string[] {
  const grid = rows.flatMap((row) => {
    const cell = cellOf(catalogue, row);
    return row.parameters.technique === 'study-grid' && cell !== null ? [{ cell, row }] : [];
  });
  const byTime = grid.filter(({ row }) => isTimed(row)).sort((one, other) => one.row.msPerFrame - other.row.msPerFrame);
  const fastest = byTime.find(({ row }) => row.missedPairs === 0);
  const [smallest, largest] = [grid[0], grid.at(-1)];
  const found: string[] = [];
  if (fastest !== undefined && byTime.length > 2) {
    found.push(words('finding.cell', { cell: fastest.cell, ms: significant(fastest.row.msPerFrame, 3, language.value) }));
  }
  const missing = grid.filter(({ row }) => (row.missedPairs ?? 0) > 0).map(({ cell }) => cell);
  if (missing.length > 0) {
    found.push(words('finding.missed', { cell: Math.max(...missing) }));
  }
  if (smallest !== undefined && largest !== undefined && smallest !== largest) {
    found.push(
      words('finding.memory', {
        most: bytes(smallest.row.bytes, language.value),
        small: smallest.cell,
        least: bytes(largest.row.bytes, language.value),
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
      // What the study says of many objects says nothing of few.
      const holds = other.msPerFrame / last.msPerFrame > LEAD;
      const theirs = (published(experiment, other)?.ms ?? Number.NaN) / (published(experiment, last)?.ms ?? Number.NaN);
      found.push(
        words(holds ? 'finding.grid' : 'finding.grid-not', {
          bounds: words(`form.bounds.${bounds}`),
          objects: last.parameters.objects,
          ours: significant(other.msPerFrame / last.msPerFrame, 3, language.value),
          theirs: significant(theirs, 3, language.value),
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
        words('finding.tests', {
          bounds: words(`form.bounds.${bounds}`),
          off: difference(farthest.row.testsPerFrame, farthest.tests, language.value),
          objects: farthest.row.parameters.objects,
        }),
      );
    }
  }
  return [...found, ...circlesOrBoxes(of('study-grid', 'aabb'), of('study-grid', 'circle'))];
}

/** The study says both: circles ahead everywhere, and boxes ahead with few objects. */
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
    const names = ratios.filter(({ ratio }) => ahead(ratio)).map(({ objects }) => plain(objects, language.value));
    return names.length === 0 ? words('finding.nowhere') : names.join(', ');
  };
  return [
    words('finding.shapes', {
      circles: counts((ratio) => ratio > LEAD),
      boxes: counts((ratio) => ratio < 1 / LEAD),
    }),
  ];
}
