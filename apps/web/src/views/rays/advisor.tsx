/** Which structure suits this mesh? As measured here and now. */
import { language, spoken } from '../../shared/i18n.ts';
import { NO_VALUE, significant } from '../../shared/numbers.ts';
import { TECHNIQUES } from './protocol.ts';
import type { Session } from './session.ts';
import { wordsRays } from './words.ts';

export function Advisor({ session }: { session: Session }) {
  const [tried, structures] = [session.answers.tried.value, session.answers.structures.value];
  const advice = tried?.advice ?? null;
  return (
    <section class="panel panel-advisor" aria-labelledby="advisor-title">
      <div class="panel-head">
        <h2 id="advisor-title">{wordsRays('advisor.title')}</h2>
        {advice !== null && (
          <strong class="end advisor-use" data-advice={advice.name}>
            <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
              <path d="m2 7.5 3.5 3.5L12 3.5" />
            </svg>
            {wordsRays('advisor.use', { name: wordsRays(`structure.${advice.name}-name`) })}
          </strong>
        )}
      </div>
      <p class="muted small">
        {advice !== null
          ? wordsRays('advisor.reason', { reason: spoken(advice.reason) })
          : wordsRays(session.answers.working.value === 'trying' ? 'advisor.trying' : 'advisor.waiting')}
      </p>
      <table class="table">
        <caption class="visually-hidden">{wordsRays('advisor.table')}</caption>
        <thead>
          <tr>
            <th scope="col">{wordsRays('advisor.structure')}</th>
            <th scope="col">{wordsRays('advisor.build')}</th>
            <th scope="col">{wordsRays('advisor.memory')}</th>
            <th scope="col">{wordsRays('advisor.ray')}</th>
          </tr>
        </thead>
        <tbody>
          {TECHNIQUES.map((name) => {
            const told = structures[name];
            const seconds = tried?.rays.find((ray) => ray.name === name)?.seconds;
            return (
              <tr key={name} class={name === advice?.name ? 'marked' : ''} data-built={told === undefined ? undefined : name}>
                <th scope="row">{wordsRays(`structure.${name}-name`)}</th>
                <td>{told === undefined ? NO_VALUE : significant(told.build_s * 1e3, 3, language.value)}</td>
                <td>{told === undefined ? NO_VALUE : significant(told.bytes / 1e6, 3, language.value)}</td>
                <td>{seconds === undefined ? NO_VALUE : inTime(seconds)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

/** In the unit that keeps it readable. */
function inTime(seconds: number): string {
  const [scale, unit] = seconds < 1e-6 ? [1e9, 'ns'] : seconds < 1e-3 ? [1e6, 'µs'] : [1e3, 'ms'];
  return `${significant(seconds * scale, 3, language.value)} ${unit}`;
}
