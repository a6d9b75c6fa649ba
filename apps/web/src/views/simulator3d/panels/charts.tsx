/** Charts of energy, momentum and cost per step. */
import { useSignal } from '@preact/signals';

import { Legend, Plot } from '../../../shared/chart/chart.tsx';
import type { ChartSpec, Line } from '../../../shared/chart/lines.ts';
import { Segments } from '../../../shared/ui/fields.tsx';
import { language, t } from '../../../shared/i18n/translate.ts';
import { formatSignificant } from '../../../shared/i18n/number-format.ts';
import type { Stats } from '../workers/protocol.ts';
import type { Session } from '../state/session.ts';
import { t3d } from '../i18n/translate.ts';

const CHARTS = ['energy', 'momentum', 'cost'] as const;
type Shown = (typeof CHARTS)[number];

/** Name, palette index and value of each line. */
const LINES: Record<Shown, readonly (readonly [name: () => string, style: number, value: (figures: Stats) => number])[]> = {
  energy: [
    [() => t3d('chart.total'), 0, ({ energy }) => energy],
    [() => t3d('chart.potential'), 2, ({ energy, kinetic }) => energy - kinetic],
    [() => t3d('chart.kinetic'), 1, ({ kinetic }) => kinetic],
  ],
  momentum: [
    [() => t3d('chart.linear'), 2, ({ momentum }) => momentum],
    [() => t3d('chart.angular'), 3, ({ angularMomentum }) => angularMomentum],
  ],
  cost: [
    [() => t3d('cost.move'), 2, ({ costs }) => costs[0]],
    [() => t3d('cost.broad'), 4, ({ costs }) => costs[1]],
    [() => t3d('cost.narrow'), 7, ({ costs }) => costs[2]],
    [() => t3d('cost.resolve'), 1, ({ costs }) => costs[3]],
  ],
};

export function Charts({ session }: { session: Session }) {
  const shown = useSignal<Shown>('energy');
  const moments = session.moments.value;
  const write = (value: number): string => formatSignificant(value, 3, language.value);
  const lines = LINES[shown.value].map(([name, style, value]): Line => ({
    label: name(),
    style,
    kind: 'measured',
    points: moments.map((figures) => [figures.step, value(figures)]),
  }));
  const previous = session.previousRun.value;
  if (shown.value === 'energy' && previous !== null) {
    lines.push({ label: t3d('chart.previous'), style: 5, kind: 'published', points: previous.map(({ step, energy }) => [step, energy]) });
  }
  const spec: ChartSpec = {
    title: t3d(`chart.${shown.value}-unit`),
    xLabel: t('stage.step'),
    xLog: false,
    yLog: false,
    lines,
    write,
    writeX: write,
    plain: true,
    height: 104,
  };
  return (
    <section class="panel panel-chart" aria-label={t3d('chart.title')}>
      <div class="panel-head">
        <Segments<Shown>
          name="chart"
          label={t('chart.quantity')}
          compact
          value={shown.value}
          choices={CHARTS.map((value) => ({ value, label: t3d(`chart.${value}`) }))}
          onChange={(choice) => (shown.value = choice)}
        />
      </div>
      <p class="chart-title">{spec.title}</p>
      <Plot spec={spec} />
      <Legend lines={lines} />
    </section>
  );
}
