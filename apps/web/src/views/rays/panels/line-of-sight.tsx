/** Line of sight between two points, and the triangle that blocks it. */
import { Check } from '../../../shared/ui/fields.tsx';
import { VectorRow } from '../../../shared/ui/number-rows.tsx';
import type { Vector } from '../../../shared/vector.ts';
import { describeSight, sightResult } from '../state/describe.ts';
import { f32Text, f32List } from '../state/float-text.ts';
import type { Session } from '../state/session.ts';
import { tRays } from '../i18n/translate.ts';

export function LineOfSightPanel({ session }: { session: Session }) {
  const [ends, sight] = [session.selection.ends.value, sightResult(session)];
  return (
    <section class="panel panel-sight" aria-labelledby="sight-title">
      <div class="panel-head">
        <h2 id="sight-title">{tRays('sight.title')}</h2>
        {sight !== null && (
          <strong class={sight.blocked ? 'end sight-result blocked' : 'end sight-result'}>
            <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
              {sight.blocked ? <path d="M7 1a6 6 0 1 0 0 12A6 6 0 0 0 7 1zM3 11 11 3" /> : <path d="m2 7.5 3.5 3.5L12 3.5" />}
            </svg>
            {tRays(sight.blocked ? 'sight.blocked' : 'sight.clear')}
          </strong>
        )}
      </div>
      {ends !== null && (
        <div class="fields">
          <End session={session} which={0} name="from" />
          <End session={session} which={1} name="to" />
          <p
            class="muted small"
            data-sight={f32List(ends.flat())}
            data-blocked={sight === null ? '' : sight.blocked ? 1 : 0}
            data-t={sight?.t == null ? '' : f32Text(sight.t)}
            data-triangle={sight?.at?.triangle ?? ''}
          >
            {describeSight(session)}
          </p>
          <Check checked={session.selection.drawsSight.value} onChange={(on) => session.drawSight(on)}>
            {tRays('sight.draw')}
          </Check>
        </div>
      )}
    </section>
  );
}

function End({ session, which, name }: { session: Session; which: 0 | 1; name: 'from' | 'to' }) {
  const { ends, placed, isPlacingSight } = session.selection;
  const digits = Math.max(0, 3 - Math.round(Math.log10(session.unit.value)));
  return (
    <VectorRow
      id={`sight-${name}`}
      label={tRays(`sight.${name}`)}
      name={(axis) => tRays(`sight.${name}-axis`, { axis })}
      value={(which === 0 && isPlacingSight.value ? placed.value : null) ?? ends.value?.[which] ?? [0, 0, 0]}
      digits={Math.min(12, Math.max(4, digits))}
      step={session.unit.value * 10}
      limits={{ min: -1e18, max: 1e18 }}
      onCommit={(value, onResult) => {
        session.selection.setEnd(which, value.map((each) => Number(f32Text(each))) as Vector);
        onResult(null);
      }}
    />
  );
}
