/** What does this frame cost, and what did the last 500 on average? */
import { language, words } from '../../shared/i18n.ts';
import { bytes, fixed, mean, NO_VALUE, plain } from '../../shared/numbers.ts';
import type { Session } from './session.ts';

export function LiveNumbers({ session }: { session: Session }) {
  const report = session.report.value;
  const spoken = language.value;
  const sums = report?.sums;
  const frames = sums?.frames ?? 0;
  const whole = (value: number | null | undefined): string => (value == null ? NO_VALUE : plain(value, spoken));
  const of = (sum: number | undefined): number => (sum === undefined || frames === 0 ? Number.NaN : sum / frames);
  const rows: [name: string, id: string, now: string, average: string][] = [
    [words('live.tests'), 'tests', whole(report?.tests), mean(of(sums?.tests), spoken)],
    [words('live.pairs'), 'pairs', whole(report?.pairs), mean(of(sums?.pairs), spoken)],
    [words('live.missed'), 'missed', whole(report?.missed), mean(of(report?.missed == null ? undefined : sums?.missed), spoken)],
    [words('live.ms'), 'ms', frames === 0 ? NO_VALUE : fixed(report?.ms ?? Number.NaN, 3, spoken), fixed(of(sums?.ms), 3, spoken)],
    [
      words('live.fps'),
      'fps',
      report === null || report.fps === 0 ? NO_VALUE : fixed(report.fps, 0, spoken),
      fixed(session.meanFps.value, 0, spoken),
    ],
    [words('live.objects'), 'objects', whole(report?.objects), whole(report?.objects)],
    [words('live.bytes'), 'bytes', report === null ? NO_VALUE : bytes(report.bytes, spoken), ''],
  ];
  return (
    <section class="panel panel-live" aria-labelledby="live-title">
      <div class="panel-head">
        <h2 id="live-title">{words('live.title')}</h2>
        <span class="end muted small">{words('live.frame', { frame: report?.frame ?? 0 })}</span>
      </div>
      <table class="figures">
        <thead class="small">
          <tr>
            <th scope="col">
              <span class="visually-hidden">{words('live.measure')}</span>
            </th>
            <th scope="col">{words('live.now')}</th>
            <th scope="col">{words('live.mean', { count: frames })}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, id, now, average]) => (
            <tr key={id} data-figure={id} class={id === 'missed' && (report?.missed ?? 0) > 0 ? 'alarm' : ''}>
              <th scope="row">{name}</th>
              <td class="now">{now}</td>
              <td class="mean">{average}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
