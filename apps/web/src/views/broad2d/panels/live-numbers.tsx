/** Live numbers: cost of this frame, and means over the last 500. */
import { type Language, language } from '../../../shared/i18n/translate.ts';
import { t2d } from '../i18n/translate.ts';
import { formatBytes, formatFixed, formatMean, NO_VALUE, formatNumber } from '../../../shared/i18n/number-format.ts';
import type { Session } from '../state/session.ts';
import type { Sweep } from '../workers/protocol.ts';

const AXES = ['x', 'y'];
/** Rows of several numbers, which have no mean. */
const WIDE: ReadonlySet<string> = new Set(['variance', 'levels']);

type Row = [name: string, id: string, now: string, average: string];

/** The axis of a sweep, and the variance of the centers along each. */
function sweepRows(sweep: Sweep | null, locale: Language): Row[] {
  if (sweep === null) return [];
  const variances = sweep.variances.map((variance, axis) => `${AXES[axis]} ${formatNumber(Math.round(variance), locale)}`);
  return [
    [t2d('live.sweep'), 'sweep', AXES[sweep.axis] ?? NO_VALUE, ''],
    [t2d('live.variance'), 'variance', variances.join(', '), ''],
  ];
}

/** Number of objects on each level of an octree, while they are shown. */
function levelRows(levels: readonly number[] | null, locale: Language): Row[] {
  if (levels === null) return [];
  const counts = levels.map((count, level) => `${level}: ${formatNumber(count, locale)}`);
  return [[t2d('live.levels'), 'levels', counts.join(', '), '']];
}

export function LiveNumbers({ session }: { session: Session }) {
  const report = session.report.value;
  const locale = language.value;
  // The stage then shows the worlds of the experiment.
  const isPaused = session.isLocked.value;
  const sums = report?.sums;
  const frames = sums?.frames ?? 0;
  const whole = (value: number | null | undefined): string => (value == null ? NO_VALUE : formatNumber(value, locale));
  const of = (sum: number | undefined): number => (sum === undefined || frames === 0 ? Number.NaN : sum / frames);
  const rows: Row[] = [
    [t2d('live.tests'), 'tests', whole(report?.tests), formatMean(of(sums?.tests), locale)],
    [t2d('live.pairs'), 'pairs', whole(report?.pairs), formatMean(of(sums?.pairs), locale)],
    [t2d('live.missed'), 'missed', whole(report?.missed), formatMean(of(report?.missed == null ? undefined : sums?.missed), locale)],
    [t2d('live.ms'), 'ms', frames === 0 ? NO_VALUE : formatFixed(report?.ms ?? Number.NaN, 3, locale), formatFixed(of(sums?.ms), 3, locale)],
    [
      t2d('live.fps'),
      'fps',
      report === null || report.fps === 0 ? NO_VALUE : formatFixed(report.fps, 0, locale),
      formatFixed(session.meanFps.value, 0, locale),
    ],
    [t2d('form.objects'), 'objects', whole(report?.objects), whole(report?.objects)],
    ...sweepRows(report?.sweep ?? null, locale),
    ...levelRows(report?.levels ?? null, locale),
    [t2d('live.bytes'), 'bytes', report === null ? NO_VALUE : formatBytes(report.bytes, locale), ''],
  ];
  return (
    <section class={isPaused ? 'panel panel-live outdated' : 'panel panel-live'} aria-labelledby="live-title">
      <div class="panel-head">
        <h2 id="live-title">{t2d('live.title')}</h2>
        <span class="end muted small">{t2d('live.frame', { frame: report?.frame ?? 0 })}</span>
      </div>
      {isPaused && <p class="small">{t2d('live.paused')}</p>}
      <table class="figures">
        <thead class="small">
          <tr>
            <th scope="col">
              <span class="visually-hidden">{t2d('live.measure')}</span>
            </th>
            <th scope="col">{t2d('live.now')}</th>
            <th scope="col">{t2d('live.mean', { count: frames })}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, id, now, average]) => (
            <tr key={id} data-figure={id} class={id === 'missed' && (report?.missed ?? 0) > 0 ? 'alarm' : ''}>
              <th scope="row">{name}</th>
              <td class={WIDE.has(id) ? 'now wide' : 'now'} colSpan={WIDE.has(id) ? 2 : 1}>
                {now}
              </td>
              {!WIDE.has(id) && <td class="mean">{average}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
