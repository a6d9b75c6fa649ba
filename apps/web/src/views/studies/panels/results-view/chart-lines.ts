/** Converts a chart of the engine to a chart of the page. */
import type { ChartSpec, Line, Point } from '../../../../shared/chart/lines.ts';
import type { Language } from '../../../../shared/i18n/translate.ts';
import { formatSignificant } from '../../../../shared/i18n/number-format.ts';
import type { ReportChart, Series } from '../../workers/report-data.ts';

/** Sufficient for seven lines. */
const HEIGHT = 210;

export function specOf(chart: ReportChart, language: Language): ChartSpec | null {
  const { kind } = chart;
  if (kind.layout !== 'lines') return null;
  const lines = kind.series.map(lineOf);
  const xs = lines.flatMap(({ points }) => points.map(([x]) => x));
  if (kind.reference !== null && xs.length > 0) {
    const [level, label] = kind.reference;
    lines.push({ label, style: REFERENCE, kind: 'reference', points: [[Math.min(...xs), level], [Math.max(...xs), level]] });
  }
  const write = (value: number): string => formatSignificant(value, 3, language);
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

/** Palette index used by no technique. */
const REFERENCE = 7;

function lineOf({ name, style, origin, points }: Series): Line {
  const known = points.filter((point): point is Point => point.every((value) => value !== null && Number.isFinite(value)));
  // Points of a line in order of x.
  return { label: name, style, kind: origin, points: [...known].sort(([one], [other]) => one - other) };
}
