/** Converts a chart of the engine to a chart of the page. */
import type { ChartSpec, ErrorBar, Line, Point } from '../../../../shared/chart/lines.ts';
import type { Language } from '../../../../shared/i18n/translate.ts';
import { formatSignificant } from '../../../../shared/i18n/number-format.ts';
import { techniqueLabel } from '../../i18n/technique-names.ts';
import type { StudyName } from '../../workers/protocol.ts';
import type { ReportChart, Series } from '../../workers/report-data.ts';

/** Sufficient for seven lines. */
const HEIGHT = 210;

export function specOf(chart: ReportChart, language: Language, study: StudyName): ChartSpec | null {
  const { kind } = chart;
  if (kind.layout !== 'lines') return null;
  const lines = kind.series.map((series) => lineOf(series, study));
  const xs = lines.flatMap(({ points }) => points.map(([x]) => x));
  if (kind.reference !== null && xs.length > 0) {
    const [level, label] = kind.reference;
    lines.push({ label, style: REFERENCE, kind: 'reference', points: [[Math.min(...xs), level], [Math.max(...xs), level]] });
  }
  const write = (value: number): string => formatSignificant(value, 3, language);
  return {
    title: chart.title,
    xLabel: chart.xLabel,
    yLabel: chart.yLabel,
    xLog: kind.xScale === 'log',
    yLog: kind.yScale === 'log',
    lines,
    ...(kind.marks !== undefined && { marks: kind.marks }),
    height: HEIGHT,
    write,
    writeX: write,
  };
}

/** Palette index used by no technique. */
const REFERENCE = 7;

function lineOf({ name, style, origin, points, errorBars = [] }: Series, study: StudyName): Line {
  const known = points.filter((point): point is Point => point.every((value) => value !== null && Number.isFinite(value)));
  const bars = points.flatMap(([x], place): ErrorBar[] => {
    const [low = null, high = null] = errorBars[place] ?? [];
    return x === null || low === null || high === null ? [] : [[x, low, high]];
  });
  // Points of a line in order of x.
  const sorted = [...known].sort(([one], [other]) => one - other);
  return { label: techniqueLabel(name, study), style, kind: origin, points: sorted, ...(bars.length > 0 && { bars }) };
}
