/** Affinity of the mesh to an octree: triangles per level, and the class of Lorenzi 2014. */
import { language } from '../../../shared/i18n/translate.ts';
import { formatNumber } from '../../../shared/i18n/number-format.ts';
import type { Levels } from '../workers/protocol.ts';
import type { Session } from '../state/session.ts';
import { tRays } from '../i18n/translate.ts';

const CLASSES = ['low', 'medium', 'high'] as const;

export function LevelsPanel({ session }: { session: Session }) {
  const levels = session.results.levels.value;
  return (
    <section class="panel panel-levels" aria-labelledby="levels-title">
      <div class="panel-head">
        <h2 id="levels-title">{tRays('levels.title')}</h2>
      </div>
      {levels === null ? <p class="muted small">{tRays('structure.waiting')}</p> : <LevelsTable levels={levels} />}
    </section>
  );
}

function LevelsTable({ levels: { triangles, affinity } }: { levels: Levels }) {
  const locale = language.value;
  const all = triangles.reduce((sum, count) => sum + count, 0);
  const max = Math.max(1, ...triangles);
  const percent = new Intl.NumberFormat(locale, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const share = (count: number): string => percent.format(count / Math.max(1, all));
  const deep = triangles.slice(3).reduce((sum, count) => sum + count, 0);
  const about =
    affinity === 'medium'
      ? tRays('levels.medium-about')
      : tRays(`levels.${affinity}-about`, { share: share(affinity === 'high' ? deep : (triangles[0] ?? 0)) });
  return (
    <div class="levels-body">
      <table class="levels" data-levels={triangles.join()}>
        <caption class="visually-hidden">{tRays('levels.table')}</caption>
        <thead class="visually-hidden">
          <tr>
            <th scope="col">{tRays('levels.level')}</th>
            <td />
            <th scope="col">{tRays('levels.count')}</th>
            <th scope="col">{tRays('levels.share')}</th>
          </tr>
        </thead>
        <tbody>
          {triangles.map((count, level) => (
            <tr key={level}>
              <th scope="row">{level + 1}</th>
              <td class="levels-bar" aria-hidden="true">
                <span class={level >= 3 ? 'bar deep' : 'bar'} style={{ width: `${(100 * count) / max}%` }} />
              </td>
              <td>
                <strong>{formatNumber(count, locale)}</strong>
              </td>
              <td class="muted">{share(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div class="affinity">
        <h3>{tRays('levels.affinity')}</h3>
        <strong data-affinity={affinity}>{tRays(`levels.${affinity}`)}</strong>
        <ul aria-hidden="true">
          {CLASSES.map((each) => (
            <li key={each} class={each === affinity ? 'is' : ''}>
              {tRays(`levels.${each}`)}
            </li>
          ))}
        </ul>
        <p class="muted small">{about}</p>
      </div>
    </div>
  );
}
