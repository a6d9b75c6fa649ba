/**
 * Charts of the experiments.
 *
 * Experiment 1 of Gonçales et al. 2016: against cell size; a technique without cells is a
 * horizontal line. Experiment 2: against the number of objects, boxes on the left and circles on
 * the right. Published values are hollow markers.
 */
import type { ChartSpec, Line, Mark, Point } from '../../../../shared/chart/lines.ts';
import { language } from '../../../../shared/i18n/translate.ts';
import { t2d } from '../../i18n/translate.ts';
import { formatSignificant } from '../../../../shared/i18n/number-format.ts';
import type { Bounds, Catalog, Experiment, Measured } from '../../workers/protocol.ts';
import { cellOf } from './result-rows.ts';

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

function spec(title: string, xLabel: string, lines: Line[], yLog: boolean): ChartSpec {
  const write = (value: number): string => formatSignificant(value, 3, language.value);
  return { title, xLabel, lines, xLog: true, yLog, write, writeX: write };
}

function chartsOverCells({ catalog, rows, label }: Sources): ChartSpec[] {
  const sizes = rows.flatMap((row) => cellOf(catalog, row) ?? []);
  const [least, greatest] = [Math.min(...sizes), Math.max(...sizes)];
  const linesOf = (value: Value): Line[] =>
    byTechnique(rows, catalog).map(([technique, style, own]) => {
      const overCells = own.flatMap((row) => point(cellOf(catalog, row), value(row)));
      const isLevel = overCells.length === 0;
      const points: Point[] = isLevel
        ? own.slice(0, 1).flatMap((row) => [least, greatest].flatMap((x) => point(x, value(row))))
        : overCells;
      return { label: label(technique), style, kind: isLevel ? 'reference' : 'measured', points: sorted(points) };
    });
  const x = t2d('chart.cell');
  return [
    spec(t2d('chart.fps-cell'), x, linesOf((row) => row.fps), false),
    { ...spec(t2d('chart.ms-cell'), x, linesOf((row) => row.msPerFrame), true), marks: cellRules(rows) },
    spec(t2d('chart.memory-cell'), x, linesOf((row) => row.bytes / 1000), true),
    spec(t2d('chart.tests-cell'), x, linesOf((row) => row.testsPerFrame), true),
  ];
}

/** The rules for the cell size that the study cites. */
function cellRules(rows: readonly Measured[]): Mark[] {
  const world = rows[0]?.parameters;
  if (world === undefined) return [];
  return [
    [world.maxSize, t2d('chart.mark.largest')],
    [world.width / 10, t2d('chart.mark.tenth')],
  ];
}

function chartsOverObjects({ catalog, experiment, rows, label }: Sources): ChartSpec[] {
  const linesOf = (bounds: Bounds, value: Value, printed?: 'tests' | 'ms'): Line[] =>
    byTechnique(rows, catalog).flatMap(([technique, style, own]): Line[] => {
      const here = own.filter(({ parameters }) => parameters.bounds === bounds);
      const points = sorted(here.flatMap((row) => point(row.parameters.objects, value(row))));
      const theirs = experiment.published
        .filter((each) => each.technique === technique && each.bounds === bounds)
        .flatMap((each) => point(each.objects, printed === undefined ? null : (each[printed] ?? null)));
      const measured: Line = { label: label(technique), style, kind: 'measured', points };
      const name = t2d('chart.published', { technique: label(technique) });
      return theirs.length === 0
        ? [measured]
        : [measured, { label: name, style, kind: 'published', points: sorted(theirs) }];
    });
  const rowOf = (title: 'fps' | 'ms' | 'tests', value: Value, printed?: 'tests' | 'ms'): ChartSpec[] =>
    ALL_BOUNDS.filter((bounds) => rows.some(({ parameters }) => parameters.bounds === bounds)).map((bounds) => {
      const named = t2d(`chart.${title}-objects`, { bounds: t2d(`form.bounds.${bounds}`) });
      return spec(named, t2d('form.objects'), linesOf(bounds, value, printed), true);
    });
  return [
    ...rowOf('fps', (row) => row.fps),
    ...rowOf('ms', (row) => row.msPerFrame, 'ms'),
    ...rowOf('tests', (row) => row.testsPerFrame, 'tests'),
  ];
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

/** All distinct lines: the common legend of the charts. */
export function linesOfAll(charts: readonly ChartSpec[]): Line[] {
  const known = new Map<string, Line>();
  for (const line of charts.flatMap(({ lines }) => lines)) {
    known.set(line.label, known.get(line.label) ?? line);
  }
  return [...known.values()];
}
