/** How did energy, momentum and cost go, step by step? */
import { useSignal } from '@preact/signals';

import { Legend, Plot } from '../../shared/chart/chart.tsx';
import type { ChartSpec, Line } from '../../shared/chart/lines.ts';
import { Segments } from '../../shared/fields.tsx';
import { language } from '../../shared/i18n.ts';
import { significant } from '../../shared/numbers.ts';
import type { Figures } from './protocol.ts';
import type { Session } from './session.ts';
import { words3d } from './words.ts';

const CHARTS = ['energy', 'momentum', 'cost'] as const;
type Shown = (typeof CHARTS)[number];

/** Each line: its name, its place in the palette and its value. */
const LINES: Record<Shown, readonly (readonly [name: () => string, style: number, value: (figures: Figures) => number])[]> = {
  energy: [
    [() => words3d('chart.total'), 0, ({ energy }) => energy],
    [() => words3d('chart.potential'), 2, ({ energy, kinetic }) => energy - kinetic],
    [() => words3d('chart.kinetic'), 1, ({ kinetic }) => kinetic],
  ],
  momentum: [
    [() => words3d('chart.linear'), 2, ({ momentum }) => momentum],
    [() => words3d('chart.angular'), 3, ({ angularMomentum }) => angularMomentum],
  ],
  cost: [
    [() => words3d('cost.move'), 2, ({ costs }) => costs[0]],
    [() => words3d('cost.broad'), 4, ({ costs }) => costs[1]],
    [() => words3d('cost.narrow'), 7, ({ costs }) => costs[2]],
    [() => words3d('cost.resolve'), 1, ({ costs }) => costs[3]],
  ],
};

export function Charts({ session }: { session: Session }) {
  const shown = useSignal<Shown>('energy');
  const moments = session.moments.value;
  const write = (value: number): string => significant(value, 3, language.value);
  const lines = LINES[shown.value].map(([name, style, value]): Line => ({
    label: name(),
    style,
    kind: 'measured',
    points: moments.map((figures) => [figures.step, value(figures)]),
  }));
  const spec: ChartSpec = {
    title: words3d(`chart.${shown.value}-unit`),
    xLabel: words3d('chart.step'),
    xLog: false,
    yLog: false,
    lines,
    write,
    writeX: write,
    plain: true,
    height: 104,
  };
  return (
    <section class="panel panel-chart" aria-label={words3d('chart.title')}>
      <div class="panel-head">
        <Segments<Shown>
          name="chart"
          label={words3d('chart.title')}
          compact
          value={shown.value}
          choices={CHARTS.map((value) => ({ value, label: words3d(`chart.${value}`) }))}
          onChange={(choice) => (shown.value = choice)}
        />
        <span class="end muted small">{spec.title}</span>
      </div>
      <Plot spec={spec} />
      <Legend lines={lines} />
    </section>
  );
}
