/** How did the last frames go? Time or tests, frame by frame. */
import { useSignal } from '@preact/signals';

import { Plot } from '../../shared/chart/chart.tsx';
import type { ChartSpec, Line } from '../../shared/chart/lines.ts';
import { Segments } from '../../shared/fields.tsx';
import { language, words } from '../../shared/i18n.ts';
import { significant } from '../../shared/numbers.ts';
import { everyPair } from './describe.ts';
import type { Session } from './session.ts';

/** Places in the palette: the free and the touching colour. */
const TIME_STYLE = 2;
const EVERY_PAIR_STYLE = 1;

export function LiveChart({ session }: { session: Session }) {
  const shown = useSignal<'time' | 'tests'>('tests');
  const isTime = shown.value === 'time';
  const moments = session.moments.value;
  const write = (value: number): string => significant(value, 3, language.value);
  const values = moments.map((moment) => (isTime ? moment.ms : moment.tests));
  const measured: Line = {
    label: words(isTime ? 'live.ms' : 'live.tests'),
    style: TIME_STYLE,
    kind: 'measured',
    points: moments.map((moment, place) => [moment.frame, values[place] ?? 0]),
  };
  const spec: ChartSpec = {
    title: words(isTime ? 'live.chart.time-unit' : 'live.chart.tests-unit'),
    xLabel: words('stage.title'),
    xLog: false,
    yLog: !isTime,
    lines: isTime ? [measured] : [measured, reference(session, moments[0]?.frame, moments.at(-1)?.frame)],
    write,
    writeX: write,
    plain: true,
    height: 132,
  };
  return (
    <section class="panel panel-chart" aria-label={words('live.chart')}>
      <div class="panel-head">
        <Segments<'time' | 'tests'>
          name="live-chart"
          label={words('live.chart')}
          compact
          value={shown.value}
          choices={[
            { value: 'tests', label: words('live.chart.tests') },
            { value: 'time', label: words('live.chart.time') },
          ]}
          onChange={(choice) => (shown.value = choice)}
        />
        <span class="end muted small">{spec.title}</span>
      </div>
      <Plot spec={spec} description={summary(values, moments[0]?.frame ?? 0, moments.at(-1)?.frame ?? 0, write)} />
      <ul class="live-legend small" aria-hidden="true">
        <li class="live-legend-measured">{measured.label}</li>
        {!isTime && <li class="live-legend-every">{words('live.chart.every-pair')}</li>}
      </ul>
    </section>
  );
}

/** What testing every pair would take: a level to look down from. */
function reference(session: Session, from = 0, to = 1): Line {
  const all = everyPair(session.report.value?.objects ?? 0);
  return {
    label: words('live.chart.every-pair'),
    style: EVERY_PAIR_STYLE,
    kind: 'reference',
    points: [
      [from, all],
      [to, all],
    ],
  };
}

function summary(values: readonly number[], from: number, to: number, write: (value: number) => string): string {
  if (values.length === 0) {
    return words('live.chart.empty');
  }
  const sum = values.reduce((total, value) => total + value, 0);
  return words('live.chart.describe', {
    from,
    to,
    least: write(Math.min(...values)),
    mean: write(sum / values.length),
    most: write(Math.max(...values)),
  });
}
