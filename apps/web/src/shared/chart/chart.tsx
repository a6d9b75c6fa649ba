/**
 * Chart component.
 *
 * Lines by uPlot in the theme's colors; for screen readers one sentence per line of the chart, and
 * the values as a table.
 */
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

import { language, t } from '../i18n/translate.ts';
import { settings } from '../settings.ts';
import { axisTitle } from './axis-title.ts';
import { type ChartSpec, colorOf, columns, dashes, type Line } from './lines.ts';
import { shownMarks } from './marks.ts';
import { options, titleHeight } from './options.ts';

const HEIGHT = 170;

export function Chart({ spec }: { spec: ChartSpec }) {
  return (
    <figure class="chart">
      <figcaption class="chart-title">{spec.title}</figcaption>
      <Plot spec={spec} />
      <Twin spec={spec} />
    </figure>
  );
}

/** The plot alone, with an accessible name. */
export function Plot({ spec, description }: { spec: ChartSpec; description?: string }) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const latest = useRef(spec);
  latest.current = spec;
  const height = (spec.height ?? HEIGHT) + titleHeight(spec);
  const marks = spec.lines.map(({ style, kind }) => [style, kind]);
  // A change of these values requires a new plot; a change of data or labels does not.
  const shape = JSON.stringify([height, spec.xLog, spec.yLog, spec.yLabel === undefined, marks]);

  useEffect(() => {
    const element = place.current;
    if (element === null) {
      return;
    }
    const width = Math.max(120, element.clientWidth);
    const drawn = new uPlot(options(() => latest.current, width, height), columns(spec.lines, spec.yLog), element);
    plot.current = drawn;
    const watch = new ResizeObserver(() => {
      const now = element.clientWidth;
      if (now > 0 && now !== drawn.width) {
        drawn.setSize({ width: now, height });
      }
    });
    watch.observe(element);
    return () => {
      watch.disconnect();
      drawn.destroy();
      plot.current = null;
    };
  }, [shape]);

  useEffect(() => {
    plot.current?.setData(columns(spec.lines, spec.yLog));
  }, [spec.lines]);

  useEffect(() => {
    plot.current?.redraw(false, true);
  }, [language.value, settings.isDark.value]);

  return (
    <div
      class="chart-plot"
      ref={place}
      style={{ height: `${height}px` }}
      role="img"
      aria-label={`${spec.title}. ${description ?? describe(spec)}`}
    />
  );
}

function describe(spec: ChartSpec): string {
  const sentences = spec.lines.flatMap((line) => {
    const [first, last] = [line.points[0], line.points.at(-1)];
    if (first === undefined || last === undefined) {
      return [];
    }
    const start = { line: line.label, first: spec.write(first[1]), from: spec.writeX(first[0]) };
    return first === last
      ? [t('chart.point', start)]
      : [t('chart.line', { ...start, last: spec.write(last[1]), to: spec.writeX(last[0]) })];
  });
  const marked = shownMarks(spec).map(([x, label]) => `${label}: ${spec.writeX(x)}.`);
  return sentences.length === 0 ? t('chart.empty') : [...sentences, ...marked].join(' ');
}

/** The same values as a table, for screen readers. */
function Twin({ spec }: { spec: ChartSpec }) {
  const [xs, ...ys] = columns(spec.lines, false);
  return (
    // A table alone does not shrink below its content and would widen the page.
    <div class="visually-hidden">
      <table>
        <caption>{spec.title}</caption>
        <thead>
          <tr>
            <th scope="col">{axisTitle(spec.xLabel, spec.xLog)}</th>
            {spec.lines.map((line, place) => (
              <th key={place} scope="col">
                {line.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {xs.map((x, row) => (
            <tr key={x}>
              <th scope="row">{spec.writeX(x)}</th>
              {ys.map((column, place) => (
                <td key={place}>{withBar(spec, place, x, column[row] ?? Number.NaN)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A value, with the range of its repeats if there is one. */
function withBar(spec: ChartSpec, line: number, x: number, value: number): string {
  const bar = spec.lines[line]?.bars?.find(([at]) => at === x);
  const text = spec.write(value);
  return bar === undefined ? text : `${text} (${t('chart.range', { low: spec.write(bar[1]), high: spec.write(bar[2]) })})`;
}

/** Legend, shown once for all charts that share their lines; `bars` says what their error bars are. */
export function Legend({ lines, bars = t('chart.bars') }: { lines: readonly Line[]; bars?: string }) {
  return (
    <ul class="chart-legend" aria-label={t('chart.legend')}>
      {lines.map((line, place) => (
        <li key={place}>
          <svg width="26" height="8" viewBox="0 0 26 8" aria-hidden="true">
            <line
              x1="0"
              x2="26"
              y1="4"
              y2="4"
              style={{ stroke: `var(${colorOf(line)})` }}
              stroke-width="2"
              stroke-dasharray={dashes(line).join(' ')}
            />
            {line.kind !== 'reference' && (
              <circle
                cx="13"
                cy="4"
                r="3"
                stroke-width="1.5"
                style={{
                  stroke: `var(${colorOf(line)})`,
                  fill: line.kind === 'published' ? 'var(--panel)' : `var(${colorOf(line)})`,
                }}
              />
            )}
          </svg>
          {line.label}
        </li>
      ))}
      {lines.some((line) => (line.bars ?? []).length > 0) && <li>{bars}</li>}
    </ul>
  );
}
