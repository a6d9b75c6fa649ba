/** What does a step cost, part by part, and what had each part to do? */
import { language } from '../../shared/i18n.ts';
import { fixed, NO_VALUE } from '../../shared/numbers.ts';
import type { Session } from './session.ts';
import { words3d } from './words.ts';

const PARTS = ['move', 'broad', 'narrow', 'resolve'] as const;

export function Costs({ session }: { session: Session }) {
  const report = session.report.value;
  const figures = report?.figures;
  const costs = figures?.costs ?? [0, 0, 0, 0];
  const total = costs.reduce((sum, cost) => sum + cost, 0);
  const most = Math.max(...costs, 1e-6);
  const counts = {
    move: words3d('cost.bodies', { count: figures?.bodies ?? 0 }),
    broad: words3d('cost.pairs', { count: figures?.pairs ?? 0 }),
    narrow: words3d('cost.contacts', { count: figures?.contacts ?? 0 }),
    resolve: words3d('cost.islands', { count: figures?.islands ?? 0 }),
  };
  const spoken = language.value;
  return (
    <section class="panel panel-live" aria-labelledby="cost-title">
      <div class="panel-head">
        <h2 id="cost-title">{words3d('cost.title')}</h2>
        <strong class="end">{fixed(total, 3, spoken)} ms</strong>
      </div>
      <table class="costs small">
        <thead class="visually-hidden">
          <tr>
            <th scope="col">{words3d('cost.part')}</th>
            <td />
            <th scope="col">{words3d('cost.ms')}</th>
            <th scope="col">{words3d('cost.of')}</th>
          </tr>
        </thead>
        <tbody>
          {PARTS.map((part, place) => (
            <tr key={part} data-cost={part}>
              <th scope="row">{words3d(`cost.${part}`)}</th>
              <td class="cost-bar" aria-hidden="true">
                <span class="bar" style={{ width: `${((costs[place] ?? 0) / most) * 100}%` }} />
              </td>
              <td class="now">{fixed(costs[place] ?? 0, 3, spoken)}</td>
              <td class="muted">{counts[part]}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="cost-foot muted small">
        <span>{words3d('cost.asleep', { count: figures?.asleep ?? 0 })}</span>
        <span>{words3d('cost.deepest', { mm: fixed((figures?.deepest ?? 0) * 1e3, 2, spoken) })}</span>
        <span>{words3d('cost.fps', { fps: session.playing.value ? fixed(report?.fps ?? 0, 0, spoken) : NO_VALUE })}</span>
        <span>
          {words3d('cost.hash')} <code data-hash={report?.hash ?? ''}>{report?.hash ?? '–'}</code>
        </span>
      </p>
    </section>
  );
}
