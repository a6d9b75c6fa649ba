/** Recommended structure for this mesh, from times measured on this machine. */
import { language } from '../../../shared/i18n/translate.ts';
import { NO_VALUE, formatSignificant } from '../../../shared/i18n/number-format.ts';
import { adviceText, durationText } from '../state/advice-text.ts';
import { type Technique, TECHNIQUES } from '../workers/protocol.ts';
import type { Session } from '../state/session.ts';
import { tRays } from '../i18n/translate.ts';

/** The study's brute force is timed only: it is the reference of the study's octree. */
const ROWS: readonly (Technique | 'study-brute')[] = ['study-brute', ...TECHNIQUES];

export function Advisor({ session }: { session: Session }) {
  const [tried, structures] = [session.results.tried.value, session.results.structures.value];
  const advice = tried?.advice ?? null;
  return (
    <section class="panel panel-advisor" aria-labelledby="advisor-title">
      <div class="panel-head">
        <h2 id="advisor-title">{tRays('advisor.title')}</h2>
        {advice !== null && (
          <strong class="end advisor-use" data-advice={advice.name}>
            <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
              <path d="m2 7.5 3.5 3.5L12 3.5" />
            </svg>
            {tRays('advisor.use', { name: tRays(`structure.${advice.name}-name`) })}
          </strong>
        )}
      </div>
      <p class="muted small">
        {tried !== null && advice !== null
          ? adviceText(tried)
          : tRays(session.results.working.value === 'trying' ? 'advisor.trying' : 'advisor.waiting')}
      </p>
      <table class="table">
        <caption class="visually-hidden">{tRays('advisor.table')}</caption>
        <thead>
          <tr>
            <th scope="col">{tRays('advisor.structure')}</th>
            <th scope="col">{tRays('advisor.build')}</th>
            <th scope="col">{tRays('advisor.memory')}</th>
            <th scope="col">{tRays('advisor.ray')}</th>
          </tr>
        </thead>
        <tbody>
          {ROWS.map((name) => {
            const structure = name === 'study-brute' ? undefined : structures[name];
            const seconds = tried?.rays.find((ray) => ray.name === name)?.seconds;
            return (
              <tr key={name} class={name === advice?.name ? 'marked' : ''} data-built={structure?.name} data-timed={seconds === undefined ? undefined : name}>
                <th scope="row">{tRays(`structure.${name}-name`)}</th>
                <td>{structure === undefined ? NO_VALUE : formatSignificant(structure.build_s * 1e3, 3, language.value)}</td>
                <td>{structure === undefined ? NO_VALUE : formatSignificant(structure.bytes / 1e6, 3, language.value)}</td>
                <td>{seconds === undefined ? NO_VALUE : durationText(seconds)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
