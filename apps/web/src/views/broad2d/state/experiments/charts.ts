/**
 * Charts of the experiments.
 *
 * Experiment 1 of Gonçales et al. 2016: against cell size; a technique without cells is a
 * horizontal line. Experiment 2: against the number of objects, boxes on the left and circles on
 * the right. Published values are hollow markers.
 */
import type { ChartSpec, ErrorBar, Line, Mark, Point } from '../../../../shared/chart/lines.ts';
import { language } from '../../../../shared/i18n/translate.ts';
import { t2d } from '../../i18n/translate.ts';
import { tResults } from '../../i18n/results-translate.ts';
import { formatSignificant } from '../../../../shared/i18n/number-format.ts';
import type { Bounds, Catalog, Experiment, Measured } from '../../workers/protocol.ts';
import { cellOf, isTimed } from './result-rows.ts';

const ALL_BOUNDS: readonly Bounds[] = ['aabb', 'circle'];

interface Sources {
  catalog: Catalog;
  experiment: Experiment;
  rows: readonly Measured[];
  label: (technique: string) => string;
}

type Value = (row: Measured) => number | null;

export function chartsOf(sources: Sources): ChartSpec[] {
  return sources.experiment.varies === 'cellSize' ? chartsOverCells(sources) : chartsOverObjects(sources);
}

/** Quantities of the y axes. */
type Quantity = 'fps' | 'ms' | 'memory' | 'tests';

const VALUES: Record<Quantity, Value> = {
  fps: (row) => row.fps,
  ms: (row) => row.msPerFrame,
  memory: (row) => row.bytes / 1000,
  tests: (row) => row.testsPerFrame,
};

function yLabelOf(quantity: Quantity): string {
  switch (quantity) {
    case 'fps':
      return t2d('table.fps');
    case 'tests':
      return t2d('live.tests');
    default:
      return tResults(`chart.y.${quantity}`);
  }
}

function spec(title: string, xLabel: string, quantity: Quantity, lines: Line[], yLog = true): ChartSpec {
  const write = (value: number): string => formatSignificant(value, 3, language.value);
  return { title, xLabel, yLabel: yLabelOf(quantity), lines, xLog: true, yLog, write, writeX: write };
}

/** Times within a case, from its mean minus to its mean plus the spread. */
function barsOf(quantity: Quantity, rows: readonly Measured[], x: (row: Measured) => number | null): { bars?: readonly ErrorBar[] } {
  if (quantity !== 'ms') return {};
  const bars = rows.flatMap((row): ErrorBar[] => {
    const at = x(row);
    if (at === null || row.spread === null || !isTimed(row)) return [];
    return [[at, row.msPerFrame * Math.max(0, 1 - row.spread), row.msPerFrame * (1 + row.spread)]];
  });
  return bars.length === 0 ? {} : { bars };
}

function chartsOverCells({ catalog, rows, label }: Sources): ChartSpec[] {
  const sizes = rows.flatMap((row) => cellOf(catalog, row) ?? []);
  const [least, greatest] = [Math.min(...sizes), Math.max(...sizes)];
  const linesOf = (quantity: Quantity): Line[] =>
    byTechnique(rows, catalog).map(([technique, style, own]) => {
      const value = VALUES[quantity];
      const overCells = own.flatMap((row) => point(cellOf(catalog, row), value(row)));
      const isLevel = overCells.length === 0;
      const points: Point[] = isLevel
        ? own.slice(0, 1).flatMap((row) => [least, greatest].flatMap((x) => point(x, value(row))))
        : overCells;
      // A technique without cells was measured once: its bar is at the end of its line.
      const bars = isLevel ? barsOf(quantity, own.slice(0, 1), () => greatest) : barsOf(quantity, own, (row) => cellOf(catalog, row));
      return { label: label(technique), style, kind: isLevel ? 'reference' : 'measured', points: sorted(points), ...bars };
    });
  const x = tResults('chart.cell');
  return (['fps', 'ms', 'memory', 'tests'] as const).map((quantity) => ({
    ...spec(tResults(`chart.${quantity}-cell`), x, quantity, linesOf(quantity), quantity !== 'fps'),
    ...(quantity === 'ms' ? { marks: cellRules(rows) } : {}),
  }));
}

/** The rules for the cell size that the study cites. */
function cellRules(rows: readonly Measured[]): Mark[] {
  const world = rows[0]?.parameters;
  if (world === undefined) return [];
  return [
    [world.maxSize, tResults('chart.mark.largest')],
    [world.width / 10, tResults('chart.mark.tenth')],
  ];
}

function chartsOverObjects({ catalog, experiment, rows, label }: Sources): ChartSpec[] {
  const linesOf = (bounds: Bounds, quantity: Quantity): Line[] =>
    byTechnique(rows, catalog).flatMap(([technique, style, own]): Line[] => {
      const here = own.filter(({ parameters }) => parameters.bounds === bounds);
      const objects = (row: Measured): number => row.parameters.objects;
      const points = sorted(here.flatMap((row) => point(objects(row), VALUES[quantity](row))));
      const theirs = experiment.published
        .filter((each) => each.technique === technique && each.bounds === bounds)
        .flatMap((each) => point(each.objects, quantity === 'ms' || quantity === 'tests' ? (each[quantity] ?? null) : null));
      const measured: Line = { label: label(technique), style, kind: 'measured', points, ...barsOf(quantity, here, objects) };
      const name = tResults('chart.published', { technique: label(technique) });
      return theirs.length === 0
        ? [measured]
        : [measured, { label: name, style, kind: 'published', points: sorted(theirs) }];
    });
  return (['fps', 'ms', 'tests'] as const).flatMap((quantity) =>
    ALL_BOUNDS.filter((bounds) => rows.some(({ parameters }) => parameters.bounds === bounds)).map((bounds) => {
      const named = tResults(`chart.${quantity}-objects`, { bounds: t2d(`form.bounds.${bounds}`) });
      return spec(named, t2d('form.objects'), quantity, linesOf(bounds, quantity));
    }),
  );
}

/** In the order of the engine's list, whose index determines a technique's color. */
function byTechnique(rows: readonly Measured[], catalog: Catalog): [string, number, Measured[]][] {
  return catalog.techniques.flatMap(({ name }, style) => {
    const own = rows.filter(({ parameters }) => parameters.technique === name);
    return own.length === 0 ? [] : [[name, style, own] as [string, number, Measured[]]];
  });
}

function point(x: number | null, y: number | null): Point[] {
  return x === null || y === null || !Number.isFinite(x) ? [] : [[x, y]];
}

function sorted(points: Point[]): Point[] {
  return points.sort(([one], [other]) => one - other);
}

/** All distinct lines: the common legend of the charts, with error bars if any chart has them. */
export function linesOfAll(charts: readonly ChartSpec[]): Line[] {
  const known = new Map<string, Line>();
  for (const line of charts.flatMap(({ lines }) => lines)) {
    const before = known.get(line.label);
    if (before === undefined || before.bars === undefined) known.set(line.label, line);
  }
  return [...known.values()];
}
