/**
 * Findings of Gonçales et al. 2016, of an author whom they cite, and of Embate, compared with the
 * measured rows.
 *
 * Only rankings, in words: absolute times are specific to this machine. Findings whose rows were
 * not measured are omitted.
 */
import { language } from '../../../../shared/i18n/translate.ts';
import { t2d } from '../../i18n/translate.ts';
import { tResults } from '../../i18n/results-translate.ts';
import { formatBytes, formatDifference, formatNumber, formatSignificant } from '../../../../shared/i18n/number-format.ts';
import type { Bounds, Catalog, Experiment, Measured } from '../../workers/protocol.ts';
import { isWithinNoise } from './noise.ts';
import { cellOf, isTimed, published } from './result-rows.ts';

/** "Many" objects: the study gives no number. */
const MANY = 1000;

export const KINDS = ['published', 'cited', 'foundHere'] as const;

export interface Finding {
  kind: (typeof KINDS)[number];
  text: string;
}

export function findingsOf(experiment: Experiment, rows: readonly Measured[], catalog: Catalog): Finding[] {
  return experiment.varies === 'cellSize' ? ofCells(rows, catalog) : ofObjects(experiment, rows);
}

function ofCells(rows: readonly Measured[], catalog: Catalog): Finding[] {
  const grid = rows.flatMap((row) => {
    const cell = cellOf(catalog, row);
    return row.parameters.technique === 'study-grid' && cell !== null ? [{ cell, row }] : [];
  });
  const byTime = grid.filter(({ row }) => isTimed(row)).sort((one, other) => one.row.msPerFrame - other.row.msPerFrame);
  const fastest = byTime.find(({ row }) => row.missedPairs === 0);
  const [smallest, largest] = [grid[0], grid.at(-1)];
  const found: Finding[] = [];
  if (fastest !== undefined && byTime.length > 2) {
    const equal = byTime.filter(({ row }) => row !== fastest.row && row.missedPairs === 0 && isWithinNoise(fastest.row, row));
    const values = { cell: fastest.cell, ms: formatSignificant(fastest.row.msPerFrame, 3, language.value) };
    const cells = equal.map(({ cell }) => cell).sort((one, other) => one - other);
    const text = cells.length === 0 ? tResults('finding.cell', values) : tResults('finding.cell-noise', { ...values, cells: listOf(cells) });
    found.push({ kind: 'published', text });
    const ofSouza = byTime.find(({ cell, row }) => cell === row.parameters.maxSize);
    if (ofSouza !== undefined) {
      const least = values.ms;
      const ms = formatSignificant(ofSouza.row.msPerFrame, 3, language.value);
      found.push({ kind: 'cited', text: tResults('finding.souza', { cell: ofSouza.cell, ms, best: fastest.cell, least }) });
    }
  }
  const missing = grid.filter(({ row }) => (row.missedPairs ?? 0) > 0).map(({ cell }) => cell);
  if (missing.length > 0) {
    found.push({ kind: 'foundHere', text: tResults('finding.missed', { cell: Math.max(...missing) }) });
  }
  if (smallest !== undefined && largest !== undefined && smallest !== largest) {
    const sizes = {
      most: formatBytes(smallest.row.bytes, language.value),
      small: smallest.cell,
      least: formatBytes(largest.row.bytes, language.value),
      large: largest.cell,
    };
    found.push({ kind: 'cited', text: tResults('finding.memory', sizes) });
  }
  return found;
}

function ofObjects(experiment: Experiment, rows: readonly Measured[]): Finding[] {
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
      const holds = other.msPerFrame > last.msPerFrame && !isWithinNoise(other, last);
      const theirs = (published(experiment, other)?.ms ?? Number.NaN) / (published(experiment, last)?.ms ?? Number.NaN);
      found.push(
        tResults(holds ? 'finding.grid' : 'finding.grid-not', {
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
        tResults('finding.tests', {
          bounds: t2d(`form.bounds.${bounds}`),
          off: formatDifference(farthest.row.testsPerFrame, farthest.tests, language.value),
          objects: farthest.row.parameters.objects,
        }),
      );
    }
  }
  const texts = [...found, ...circlesOrBoxes(of('study-grid', 'aabb'), of('study-grid', 'circle'))];
  return texts.map((text) => ({ kind: 'published', text }));
}

/** The study states both: circles faster everywhere, and boxes faster with few objects. */
function circlesOrBoxes(boxes: readonly Measured[], circles: readonly Measured[]): string[] {
  const sizes = boxes.flatMap((box) => {
    const circle = circles.find(({ parameters }) => parameters.objects === box.parameters.objects);
    return circle === undefined || !isTimed(circle) || !isTimed(box)
      ? []
      : [{ objects: box.parameters.objects, ahead: isWithinNoise(box, circle) ? 'none' : circle.msPerFrame < box.msPerFrame ? 'circle' : 'box' } as const];
  });
  if (sizes.length < 3) {
    return [];
  }
  const counts = (wanted: 'circle' | 'box' | 'none'): string => {
    const found = sizes.filter(({ ahead }) => ahead === wanted).map(({ objects }) => objects);
    return found.length === 0 ? tResults('finding.nowhere') : listOf(found);
  };
  return [tResults('finding.shapes', { circles: counts('circle'), boxes: counts('box'), equal: counts('none') })];
}

function listOf(numbers: readonly number[]): string {
  return numbers.map((number) => formatNumber(number, language.value)).join('; ');
}
