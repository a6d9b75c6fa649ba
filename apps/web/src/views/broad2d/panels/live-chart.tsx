/** Live chart of the last frames: time or tests per frame. */
import { useSignal } from '@preact/signals';

import { axisTitle } from '../../../shared/chart/axis-title.ts';
import { Plot } from '../../../shared/chart/chart.tsx';
import type { ChartSpec, Line } from '../../../shared/chart/lines.ts';
import { Segments } from '../../../shared/ui/fields.tsx';
import { language, t } from '../../../shared/i18n/translate.ts';
import { t2d } from '../i18n/translate.ts';
import { formatSignificant } from '../../../shared/i18n/number-format.ts';
import { everyPair } from '../state/describe.ts';
import type { Session } from '../state/session.ts';

/** Palette indices: the colors of free and touching objects. */
const TIME_STYLE = 2;
const EVERY_PAIR_STYLE = 1;

export function LiveChart({ session }: { session: Session }) {
  const shown = useSignal<'time' | 'tests'>('tests');
  const isTime = shown.value === 'time';
  const moments = session.moments.value;
  const write = (value: number): string => formatSignificant(value, 3, language.value);
  const values = moments.map((moment) => (isTime ? moment.ms : moment.tests));
  const measured: Line = {
    label: t2d(isTime ? 'live.ms' : 'live.tests'),
    style: TIME_STYLE,
    kind: 'measured',
    points: moments.map((moment, place) => [moment.frame, values[place] ?? 0]),
  };
  const spec: ChartSpec = {
    title: axisTitle(measured.label, !isTime),
    xLabel: t2d('live.chart.frame'),
    xLog: false,
    yLog: !isTime,
    lines: isTime ? [measured] : [measured, reference(session, moments[0]?.frame, moments.at(-1)?.frame)],
    write,
    writeX: write,
    plain: true,
    height: 132,
  };
  return (
    <section class={session.isLocked.value ? 'panel panel-chart outdated' : 'panel panel-chart'} aria-label={t2d('live.chart')}>
      <div class="panel-head">
        <Segments<'time' | 'tests'>
          name="live-chart"
          label={t('chart.quantity')}
          compact
          value={shown.value}
          choices={[
            { value: 'tests', label: t2d('live.chart.tests') },
            { value: 'time', label: t2d('live.chart.time') },
          ]}
          onChange={(choice) => (shown.value = choice)}
        />
      </div>
      <p class="chart-title">{spec.title}</p>
      <Plot spec={spec} description={summary(values, moments[0]?.frame ?? 0, moments.at(-1)?.frame ?? 0, write)} />
      <ul class="live-legend small" aria-hidden="true">
        <li class="live-legend-measured">{measured.label}</li>
        {!isTime && <li class="live-legend-every">{t2d('live.chart.every-pair')}</li>}
      </ul>
    </section>
  );
}

/** Reference line: the tests of brute force. */
function reference(session: Session, from = 0, to = 1): Line {
  const all = everyPair(session.report.value?.objects ?? 0);
  return {
    label: t2d('live.chart.every-pair'),
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
    return t2d('live.chart.empty');
  }
  const sum = values.reduce((total, value) => total + value, 0);
  return t2d('live.chart.describe', {
    from,
    to,
    least: write(Math.min(...values)),
    mean: write(sum / values.length),
    most: write(Math.max(...values)),
  });
}
