/**
 * Categorical charts: one row per category, with a mark per value or as a stacked bar.
 *
 * Built from HTML tables, so that they are accessible.
 */
import { axisTitle } from '../../../../shared/chart/axis-title.ts';
import { colorOf } from '../../../../shared/chart/lines.ts';
import { language } from '../../../../shared/i18n/translate.ts';
import { formatShare, NO_VALUE, formatSignificant } from '../../../../shared/i18n/number-format.ts';
import { techniqueLabel } from '../../i18n/technique-names.ts';
import type { StudyName } from '../../workers/protocol.ts';
import type { ChartKind, ReportChart } from '../../workers/report-data.ts';

type Dots = Extract<ChartKind, { layout: 'dots' }>;
type Bars = Extract<ChartKind, { layout: 'stackedBars' }>;

export function DotsChart({ chart, kind, study }: { chart: ReportChart; kind: Dots; study: StudyName }) {
  const names = kind.series.map(([name]) => techniqueLabel(name, study));
  const place = placer(kind);
  const write = (value: number | null): string => (value === null ? NO_VALUE : formatSignificant(value, 3, language.value));
  const color = (style: number): string => `var(${colorOf({ style, kind: 'measured', label: '', points: [] })})`;
  return (
    <figure class="chart rows-chart">
      <figcaption class="chart-title">{chart.title}</figcaption>
      <ul class="chart-legend" aria-hidden="true">
        {kind.series.map(([name, style], number) => (
          <li key={name}>
            <Mark number={number} color={color(style)} />
            {names[number]}
          </li>
        ))}
      </ul>
      <div class="rows-drawn" role="img" aria-label={`${chart.title}. ${chart.description}`}>
        {kind.rows.map(([label, values]) => (
          <div key={label} class="dots-row" aria-hidden="true">
            <span class="rows-label">{label}</span>
            <span class="dots-track">
              {values.map((value, number) => {
                const across = value === null ? null : place(value);
                return across === null ? null : (
                  <span key={number} class="dot" style={{ left: `${across}%` }} title={`${names[number] ?? ''}: ${write(value)}`}>
                    <Mark number={number} color={color(kind.series[number]?.[1] ?? 0)} />
                  </span>
                );
              })}
            </span>
          </div>
        ))}
        <div class="dots-row dots-axis" aria-hidden="true">
          <span />
          <span class="dots-ends">
            {endsOf(kind).map((end, number) => (
              <span key={number}>{write(end)}</span>
            ))}
          </span>
        </div>
        <AxisTitle text={axisTitle(chart.xLabel, kind.scale === 'log')} />
      </div>
      <Twin
        caption={chart.title}
        head={[chart.yLabel, ...names]}
        rows={kind.rows.map(([label, values]) => [label, ...values.map(write)])}
      />
    </figure>
  );
}

/** Quantity and unit, below the rows. */
function AxisTitle({ text }: { text: string }) {
  return (
    <div class="dots-row dots-axis" aria-hidden="true">
      <span />
      <span class="dots-title">{text}</span>
    </div>
  );
}

/** Marks are distinguishable without color: disc, square, diamond, ring and so on. */
function Mark({ number, color }: { number: number; color: string }) {
  return (
    <svg class="mark-sign" width="10" height="10" viewBox="0 0 10 10" aria-hidden="true" style={{ color: color }}>
      {
        [
          <circle cx="5" cy="5" r="4" fill="currentColor" />,
          <rect x="1.4" y="1.4" width="7.2" height="7.2" fill="currentColor" />,
          <path d="M5 .4 9.6 5 5 9.6.4 5z" fill="currentColor" />,
          <circle cx="5" cy="5" r="3.2" fill="none" stroke="currentColor" stroke-width="1.8" />,
          <path d="M5 .8 9.4 8.8H.6z" fill="currentColor" />,
          <path d="M1.4 1.4l7.2 7.2m0-7.2L1.4 8.6" stroke="currentColor" stroke-width="2" />,
          <path d="M5 .6v8.8M.6 5h8.8" stroke="currentColor" stroke-width="2" />,
        ][number % 7]
      }
    </svg>
  );
}

function valuesOf({ rows, scale }: Dots): number[] {
  return rows.flatMap(([, values]) => values.filter((value): value is number => value !== null && (scale === 'linear' || value > 0)));
}

/** Range of the axis; an axis of amounts starts at zero. */
function endsOf(kind: Dots): [number, number] {
  const values = valuesOf(kind);
  const [min, max] = [Math.min(...values), Math.max(...values)];
  if (values.length === 0) return [0, 1];
  return kind.scale === 'linear' ? [Math.min(0, min), Math.max(max, 0)] : [min, max];
}

/** Position of a value in percent from the left; `null` if it has no logarithm. */
function placer(kind: Dots): (value: number) => number | null {
  const [min, max] = endsOf(kind);
  const isLog = kind.scale === 'log';
  const at = (value: number): number => (isLog ? Math.log(value) : value);
  const length = at(max) - at(min);
  return (value) => {
    if (isLog && value <= 0) return null;
    return length > 0 ? (100 * (at(value) - at(min))) / length : 50;
  };
}

export function BarsChart({ chart, kind }: { chart: ReportChart; kind: Bars }) {
  const share = (value: number): string => formatShare(value / 100, 1, language.value);
  return (
    <figure class="chart rows-chart">
      <figcaption class="chart-title">{chart.title}</figcaption>
      <ul class="chart-legend" aria-hidden="true">
        {kind.parts.map((part, number) => (
          <li key={part}>
            <span class="part-sign" data-part={number} />
            {part}
          </li>
        ))}
      </ul>
      <div class="rows-drawn" role="img" aria-label={`${chart.title}. ${chart.description}`}>
        {kind.rows.map(([label, parts]) => (
          <div key={label} class="bars-row" aria-hidden="true">
            <span class="rows-label">{label}</span>
            <span class="bars-track">
              {parts.map((part, number) => (
                <span key={number} class="part" data-part={number} style={{ width: `${part}%` }} title={`${kind.parts[number] ?? ''}: ${share(part)}`}>
                  {part >= ROOM_FOR_A_MARK ? kind.marks[number] : ''}
                </span>
              ))}
            </span>
          </div>
        ))}
        <AxisTitle text={axisTitle(chart.xLabel, false)} />
      </div>
      <Twin
        caption={chart.title}
        head={[chart.yLabel, ...kind.parts]}
        rows={kind.rows.map(([label, parts]) => [label, ...parts.map(share)])}
      />
    </figure>
  );
}

/** In percent: narrower segments get no label. */
const ROOM_FOR_A_MARK = 7;

/** The same values for screen readers. */
function Twin({ caption, head, rows }: { caption: string; head: readonly string[]; rows: readonly (readonly string[])[] }) {
  return (
    <div class="visually-hidden">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {head.map((name, column) => (
              <th key={column} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells], row) => (
            <tr key={row}>
              <th scope="row">{name}</th>
              {cells.map((cell, column) => (
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
