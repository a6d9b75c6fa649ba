/** Cost of a step by stage, with the work of each. */
import { language } from '../../../shared/i18n/translate.ts';
import { formatFixed, NO_VALUE } from '../../../shared/i18n/number-format.ts';
import type { Session } from '../state/session.ts';
import { t3d } from '../i18n/translate.ts';

const PARTS = ['move', 'broad', 'narrow', 'resolve'] as const;

export function Costs({ session }: { session: Session }) {
  const report = session.report.value;
  const figures = report?.figures;
  const costs = figures?.costs ?? [0, 0, 0, 0];
  const total = costs.reduce((sum, cost) => sum + cost, 0);
  const max = Math.max(...costs, 1e-6);
  const counts = {
    move: t3d('cost.bodies', { count: figures?.bodies ?? 0 }),
    broad: t3d('cost.pairs', { count: figures?.pairs ?? 0 }),
    narrow: t3d('cost.contacts', { count: figures?.contacts ?? 0 }),
    resolve: t3d('cost.islands', { count: figures?.islands ?? 0 }),
  };
  const locale = language.value;
  return (
    <section class="panel panel-live" aria-labelledby="cost-title">
      <div class="panel-head">
        <h2 id="cost-title">{t3d('cost.title')}</h2>
        <strong class="end">{formatFixed(total, 3, locale)} ms</strong>
      </div>
      <table class="costs small">
        <thead class="visually-hidden">
          <tr>
            <th scope="col">{t3d('cost.part')}</th>
            <td />
            <th scope="col">{t3d('cost.ms')}</th>
            <th scope="col">{t3d('cost.of')}</th>
          </tr>
        </thead>
        <tbody>
          {PARTS.map((part, place) => (
            <tr key={part} data-cost={part}>
              <th scope="row">{t3d(`cost.${part}`)}</th>
              <td class="cost-bar" aria-hidden="true">
                <span class="bar" style={{ width: `${((costs[place] ?? 0) / max) * 100}%` }} />
              </td>
              <td class="now">{formatFixed(costs[place] ?? 0, 3, locale)}</td>
              <td class="muted">{counts[part]}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="cost-foot muted small">
        <span>{t3d('cost.asleep', { count: figures?.asleep ?? 0 })}</span>
        <span>{t3d('cost.deepest', { mm: formatFixed((figures?.deepest ?? 0) * 1e3, 2, locale) })}</span>
        <span>{t3d('cost.fps', { fps: session.playing.value ? formatFixed(report?.fps ?? 0, 0, locale) : NO_VALUE })}</span>
        <span title={t3d('cost.hash-about')}>
          {t3d('cost.hash')} <code data-hash={report?.hash ?? ''}>{report?.hash ?? '–'}</code>
        </span>
      </p>
    </section>
  );
}
