/** How does a chart of the engine's become one of the page's? */
import type { ChartSpec, Line, Point } from '../../../shared/chart/lines.ts';
import type { Language } from '../../../shared/i18n.ts';
import { significant } from '../../../shared/numbers.ts';
import type { ChartTold, Series } from './told.ts';

/** Tall enough for seven lines. */
const HEIGHT = 210;

export function specOf(chart: ChartTold, language: Language): ChartSpec | null {
  const { kind } = chart;
  if (kind.layout !== 'lines') return null;
  const lines = kind.series.map(lineOf);
  const xs = lines.flatMap(({ points }) => points.map(([x]) => x));
  if (kind.reference !== null && xs.length > 0) {
    const [level, label] = kind.reference;
    lines.push({ label, style: REFERENCE, kind: 'reference', points: [[Math.min(...xs), level], [Math.max(...xs), level]] });
  }
  const write = (value: number): string => significant(value, 3, language);
  return {
    title: `${chart.title} · ${chart.yLabel}`,
    xLabel: chart.xLabel,
    xLog: kind.xScale === 'log',
    yLog: kind.yScale === 'log',
    lines,
    height: HEIGHT,
    write,
    writeX: write,
  };
}

/** Its place in the palette; no technique has it. */
const REFERENCE = 7;

function lineOf({ name, style, origin, points }: Series): Line {
  const known = points.filter((point): point is Point => point.every((value) => value !== null && Number.isFinite(value)));
  // A line goes from left to right.
  return { label: name, style, kind: origin, points: [...known].sort(([one], [other]) => one - other) };
}
