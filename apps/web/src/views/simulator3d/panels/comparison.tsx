/** Comparison of two methods: differences in numbers, and a chart with the curves of both. */
import { useSignal } from '@preact/signals';

import { Legend, Plot } from '../../../shared/chart/chart.tsx';
import type { ChartSpec, Line } from '../../../shared/chart/lines.ts';
import { Segments } from '../../../shared/ui/fields.tsx';
import { language, t } from '../../../shared/i18n/translate.ts';
import { formatFixed, formatSignificant } from '../../../shared/i18n/number-format.ts';
import { distanceText } from '../i18n/comparison.ts';
import { methodName } from '../i18n/names.ts';
import type { ComparisonReport, Stats } from '../workers/protocol.ts';
import type { Session } from '../state/session.ts';
import { t3d } from '../i18n/translate.ts';

const QUANTITIES = ['energy', 'contacts', 'cost'] as const;
type Quantity = (typeof QUANTITIES)[number];

const VALUES: Record<Quantity, (figures: Stats) => number> = {
  energy: ({ energy }) => energy,
  contacts: ({ contacts }) => contacts,
  cost: ({ costs }) => costs.reduce((sum, cost) => sum + cost, 0),
};

/** Palette indices of the two worlds. */
const STYLES = { a: 0, b: 1 } as const;

export function Comparison({ session }: { session: Session }) {
  const comparison = session.comparison.value;
  const [rules, figures] = [session.rules.value, session.report.value?.figures];
  if (comparison === null || rules === null || figures === undefined) return null;
  const names = { a: methodName(rules, session), b: methodName(comparison.method, session) };
  return (
    <section class="panel panel-comparison" aria-labelledby="comparison-title" data-compared-step={comparison.figures.step}>
      <div class="panel-head">
        <h2 id="comparison-title">{t3d('compare.title')}</h2>
        <span class="muted small end">{t3d('compare.from', { step: comparison.from })}</span>
      </div>
      <ul class="comparison-names small">
        {(['a', 'b'] as const).map((which) => (
          <li key={which}>
            <strong>{which.toUpperCase()}</strong> {names[which]}
          </li>
        ))}
      </ul>
      <Differences figures={figures} comparison={comparison} />
      <p class="small">{distanceText(session, comparison)}</p>
      <Curves session={session} from={comparison.from} />
    </section>
  );
}

function Differences({ figures, comparison }: { figures: Stats; comparison: ComparisonReport }) {
  const locale = language.value;
  const write: Record<Quantity, (value: number) => string> = {
    energy: (value) => formatSignificant(value, 5, locale),
    contacts: (value) => formatFixed(value, 0, locale),
    cost: (value) => formatFixed(value, 3, locale),
  };
  return (
    <table class="table comparison-table small">
      <caption class="visually-hidden">{t3d('compare.table')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('chart.quantity')}</th>
          <th scope="col">A</th>
          <th scope="col">B</th>
          <th scope="col">{t3d('compare.difference')}</th>
        </tr>
      </thead>
      <tbody>
        {QUANTITIES.map((quantity) => {
          const [a, b] = [VALUES[quantity](figures), VALUES[quantity](comparison.figures)];
          return (
            <tr key={quantity} data-quantity={quantity}>
              <th scope="row">{t3d(`compare.${quantity}-unit`)}</th>
              {[a, b, b - a].map((value, place) => (
                <td key={place}>{write[quantity](value)}</td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Curves({ session, from }: { session: Session; from: number }) {
  const shown = useSignal<Quantity>('energy');
  const write = (value: number): string => formatSignificant(value, 3, language.value);
  const value = VALUES[shown.value];
  const line = (label: string, style: number, moments: readonly Stats[]): Line => ({
    label,
    style,
    kind: 'measured',
    points: moments.filter(({ step }) => step >= from).map((figures) => [figures.step, value(figures)]),
  });
  const lines = [line('A', STYLES.a, session.moments.value), line('B', STYLES.b, session.comparedMoments.value)];
  const spec: ChartSpec = {
    title: t3d(`compare.${shown.value}-unit`),
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
    <>
      <Segments<Quantity>
        name="compared"
        label={t('chart.quantity')}
        compact
        value={shown.value}
        choices={QUANTITIES.map((quantity) => ({ value: quantity, label: t3d(`compare.${quantity}`) }))}
        onChange={(choice) => (shown.value = choice)}
      />
      <p class="chart-title">{spec.title}</p>
      <Plot spec={spec} />
      <Legend lines={lines} />
    </>
  );
}
