/** Ray panel: origin and direction, the closest hit, and the cost in each structure. */
import { Button } from '../../../shared/ui/button.tsx';
import { language } from '../../../shared/i18n/translate.ts';
import { VectorRow } from '../../../shared/ui/number-rows.tsx';
import { NO_VALUE, formatNumber, formatSignificant } from '../../../shared/i18n/number-format.ts';
import type { Vector } from '../../../shared/vector.ts';
import { distanceAt, hitParameter, spokenVector } from '../state/describe.ts';
import { f32Text, f32List } from '../state/float-text.ts';
import { FactList } from './fact-list.tsx';
import type { CastResult } from '../workers/protocol.ts';
import { copyCommands } from './copy-commands.ts';
import type { Session } from '../state/session.ts';
import { tRays } from '../i18n/translate.ts';

export function RayPanel({ session }: { session: Session }) {
  const [ray, cast] = [session.selection.ray.value, session.results.cast.value];
  const hit = hitParameter(session);
  const distance = ray === null || hit === null ? null : distanceAt(ray, hit);
  const at = cast?.at ?? null;
  return (
    <section class="panel panel-ray" aria-labelledby="ray-title">
      <div class="panel-head">
        <h2 id="ray-title">{tRays('ray.title')}</h2>
        <div class="end">
          <Button class="compact" label={tRays('ray.command-about')} disabled={ray === null} onClick={() => void copyCommand(session)}>
            {tRays('ray.command')}
          </Button>
        </div>
      </div>
      {ray !== null && (
        <div class="fields">
          <RayVector session={session} part="origin" />
          <RayVector session={session} part="direction" />
        </div>
      )}
      {cast !== null && (
        <>
          <div class="ray-hit" data-ray={ray === null ? '' : f32List([...ray.origin, ...ray.direction])} data-t={hit === null ? '' : f32Text(hit)} data-distance={distance ?? ''}>
            <FactList
              rows={[
                [
                  tRays('ray.hit'),
                  at === null ? (
                    tRays('ray.nothing')
                  ) : (
                    <>
                      <span class="swatch-ray swatch-ray-hit" aria-hidden="true" /> {tRays('ray.triangle', { triangle: at.triangle })}
                    </>
                  ),
                ],
                [tRays('ray.distance'), distance === null ? NO_VALUE : formatSignificant(distance, 6, language.value)],
                [tRays('ray.t'), hit === null ? NO_VALUE : formatSignificant(hit, 6, language.value)],
                [tRays('ray.point'), at === null ? NO_VALUE : spokenVector(at.point)],
                [tRays('ray.normal'), at === null ? NO_VALUE : spokenVector(at.normal.map((part) => Number(part.toFixed(3))))],
              ]}
            />
          </div>
          <Compared session={session} structures={cast.structures} />
        </>
      )}
    </section>
  );
}

function RayVector({ session, part }: { session: Session; part: 'origin' | 'direction' }) {
  const ray = session.selection.ray.value;
  if (ray === null) return null;
  const digits = Math.max(0, 3 - Math.round(Math.log10(session.unit.value)));
  return (
    <VectorRow
      id={`ray-${part}`}
      label={tRays(`ray.${part}`)}
      name={(axis) => tRays(`ray.${part}-axis`, { axis })}
      value={ray[part]}
      digits={Math.min(12, Math.max(4, digits))}
      step={session.unit.value * 10}
      limits={{ min: -1e18, max: 1e18 }}
      onCommit={(value, onResult) => {
        const vector = value.map((each) => Number(f32Text(each))) as Vector;
        if (part === 'direction' && vector.every((each) => each === 0)) {
          onResult({ text: () => tRays('ray.nowhere') });
          return;
        }
        session.selection.setRay({ ...ray, [part]: vector });
        onResult(null);
      }}
    />
  );
}

/** Copies the equivalent command line; of a generated scene with the one that writes its file. */
async function copyCommand(session: Session): Promise<void> {
  const [ray, source] = [session.selection.ray.value, session.source.value];
  if (ray === null || source === null) return;
  const options = `--ray=${f32List([...ray.origin, ...ray.direction])} --structure ${session.selection.technique.value} --trace 0 --json`;
  await copyCommands(session, source, (file) => `embate cast ${file} ${options}`);
}

function Compared({ session, structures }: { session: Session; structures: readonly CastResult[] }) {
  const ours = hitParameter(session);
  const studys = structures.find(({ name }) => name === 'study-octree');
  return (
    <>
      <table class="table compared">
        <caption class="visually-hidden">{tRays('ray.compare')}</caption>
        <thead>
          <tr>
            <th scope="col">{tRays('ray.structure')}</th>
            <th scope="col">{tRays('ray.tests')}</th>
            <th scope="col">{tRays('ray.cells')}</th>
            <th scope="col">{tRays('ray.at')}</th>
          </tr>
        </thead>
        <tbody>
          {structures.map(({ name, tests, boxes, t, triangle }) => (
            <tr
              key={name}
              class={name === session.selection.technique.value ? 'marked' : ''}
              data-structure={name}
              data-tests={tests}
              data-boxes={boxes}
              data-t={t === null ? '' : f32Text(t)}
              data-triangle={triangle ?? ''}
            >
              <th scope="row">{tRays(`structure.${name}-name`)}</th>
              <td>{formatNumber(tests, language.value)}</td>
              <td>{formatNumber(boxes, language.value)}</td>
              <td>{t === null ? NO_VALUE : formatSignificant(t, 5, language.value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {studys !== undefined && studys.t !== ours && Math.abs((studys.t ?? Infinity) - (ours ?? Infinity)) > 1e-3 * Math.abs(ours ?? 1) && (
        <p class="muted small">{tRays('ray.differs')}</p>
      )}
    </>
  );
}
