/** How well does the mesh suit an octree? Where its triangles end up, and the study's class for that. */
import { language } from '../../shared/i18n.ts';
import { fixed, plain } from '../../shared/numbers.ts';
import type { Levels } from './protocol.ts';
import type { Session } from './session.ts';
import { wordsRays } from './words.ts';

const CLASSES = ['low', 'medium', 'high'] as const;

export function LevelsPanel({ session }: { session: Session }) {
  const levels = session.answers.levels.value;
  return (
    <section class="panel panel-levels" aria-labelledby="levels-title">
      <div class="panel-head">
        <h2 id="levels-title">{wordsRays('levels.title')}</h2>
      </div>
      {levels === null ? <p class="muted small">{wordsRays('structure.waiting')}</p> : <Told levels={levels} />}
    </section>
  );
}

function Told({ levels: { triangles, affinity } }: { levels: Levels }) {
  const spoken = language.value;
  const all = triangles.reduce((sum, count) => sum + count, 0);
  const most = Math.max(1, ...triangles);
  const share = (count: number): string => `${fixed((100 * count) / Math.max(1, all), 1, spoken)} %`;
  const deep = triangles.slice(3).reduce((sum, count) => sum + count, 0);
  const about =
    affinity === 'medium'
      ? wordsRays('levels.medium-about')
      : wordsRays(`levels.${affinity}-about`, { share: share(affinity === 'high' ? deep : (triangles[0] ?? 0)) });
  return (
    <>
      <table class="levels" data-levels={triangles.join()}>
        <caption class="visually-hidden">{wordsRays('levels.table')}</caption>
        <thead class="visually-hidden">
          <tr>
            <th scope="col">{wordsRays('levels.level')}</th>
            <td />
            <th scope="col">{wordsRays('levels.count')}</th>
            <th scope="col">{wordsRays('levels.share')}</th>
          </tr>
        </thead>
        <tbody>
          {triangles.map((count, level) => (
            <tr key={level}>
              <th scope="row">{level + 1}</th>
              <td class="levels-bar" aria-hidden="true">
                <span class={level >= 3 ? 'bar deep' : 'bar'} style={{ width: `${(100 * count) / most}%` }} />
              </td>
              <td>
                <strong>{plain(count, spoken)}</strong>
              </td>
              <td class="muted">{share(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div class="affinity">
        <h3>{wordsRays('levels.affinity')}</h3>
        <strong data-affinity={affinity}>{wordsRays(`levels.${affinity}`)}</strong>
        <ul aria-hidden="true">
          {CLASSES.map((each) => (
            <li key={each} class={each === affinity ? 'is' : ''}>
              {wordsRays(`levels.${each}`)}
            </li>
          ))}
        </ul>
        <p class="muted small">{about}</p>
      </div>
    </>
  );
}
