/** Can one see from here to there, and if not, what is in the way? */
import { Check } from '../../shared/fields.tsx';
import { VectorRow } from '../../shared/number-rows.tsx';
import type { Vector } from '../../shared/vector.ts';
import { sightInWords } from './describe.ts';
import { exact, exactList } from './digits.ts';
import type { Session } from './session.ts';
import { wordsRays } from './words.ts';

export function SightPanel({ session }: { session: Session }) {
  const [ends, sight] = [session.chosen.ends.value, session.answers.sight.value];
  return (
    <section class="panel panel-sight" aria-labelledby="sight-title">
      <div class="panel-head">
        <h2 id="sight-title">{wordsRays('sight.title')}</h2>
        {sight !== null && (
          <strong class={sight.blocked ? 'end sight-result blocked' : 'end sight-result'}>
            <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
              {sight.blocked ? <path d="M7 1a6 6 0 1 0 0 12A6 6 0 0 0 7 1zM3 11 11 3" /> : <path d="m2 7.5 3.5 3.5L12 3.5" />}
            </svg>
            {wordsRays(sight.blocked ? 'sight.blocked' : 'sight.clear')}
          </strong>
        )}
      </div>
      {ends !== null && (
        <div class="fields">
          <End session={session} which={0} name="from" />
          <End session={session} which={1} name="to" />
          <p
            class="muted small"
            data-sight={exactList(ends.flat())}
            data-blocked={sight === null ? '' : sight.blocked ? 1 : 0}
            data-t={sight?.t == null ? '' : exact(sight.t)}
            data-triangle={sight?.at?.triangle ?? ''}
          >
            {sightInWords(session)}
          </p>
          <Check checked={session.chosen.drawsSight.value} onChange={(on) => session.drawSight(on)}>
            {wordsRays('sight.draw')}
          </Check>
        </div>
      )}
    </section>
  );
}

function End({ session, which, name }: { session: Session; which: 0 | 1; name: 'from' | 'to' }) {
  const digits = Math.max(0, 3 - Math.round(Math.log10(session.unit.value)));
  return (
    <VectorRow
      id={`sight-${name}`}
      label={wordsRays(`sight.${name}`)}
      name={(axis) => wordsRays(`sight.${name}-axis`, { axis })}
      value={session.chosen.ends.value?.[which] ?? [0, 0, 0]}
      digits={Math.min(12, Math.max(4, digits))}
      step={session.unit.value * 10}
      limits={{ least: -1e18, most: 1e18 }}
      onCommit={(value, answered) => {
        session.chosen.setEnd(which, value.map((each) => Number(exact(each))) as Vector);
        answered(null);
      }}
    />
  );
}
