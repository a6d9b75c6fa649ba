/** Which ray is it, what does it hit, and what does that cost in each structure? */
import { Button } from '../../shared/button.tsx';
import { copy } from '../../shared/downloads.ts';
import { language } from '../../shared/i18n.ts';
import { VectorRow } from '../../shared/number-rows.tsx';
import { NO_VALUE, plain, significant } from '../../shared/numbers.ts';
import type { Vector } from '../../shared/vector.ts';
import { tell } from '../../shell/status.tsx';
import { hitOf, vectorInWords } from './describe.ts';
import { exact, exactList } from './digits.ts';
import { Facts } from './facts.tsx';
import type { CastOf } from './protocol.ts';
import type { Session } from './session.ts';
import { wordsRays } from './words.ts';

export function RayPanel({ session }: { session: Session }) {
  const [ray, cast] = [session.chosen.ray.value, session.answers.cast.value];
  const hit = hitOf(session);
  const at = cast?.at ?? null;
  return (
    <section class="panel panel-ray" aria-labelledby="ray-title">
      <div class="panel-head">
        <h2 id="ray-title">{wordsRays('ray.title')}</h2>
        <div class="end">
          <Button class="compact" label={wordsRays('ray.command-about')} disabled={ray === null} onClick={() => void copyCommand(session)}>
            {wordsRays('ray.command')}
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
          <div class="ray-hit" data-ray={ray === null ? '' : exactList([...ray.origin, ...ray.direction])} data-t={hit === null ? '' : exact(hit)}>
            <Facts
              rows={[
                [
                  wordsRays('ray.hit'),
                  at === null ? (
                    wordsRays('ray.nothing')
                  ) : (
                    <>
                      <span class="swatch-ray swatch-ray-hit" aria-hidden="true" /> {wordsRays('ray.triangle', { triangle: at.triangle })}
                    </>
                  ),
                ],
                [wordsRays('ray.distance'), hit === null ? NO_VALUE : significant(hit, 6, language.value)],
                [wordsRays('ray.point'), at === null ? NO_VALUE : vectorInWords(at.point)],
                [wordsRays('ray.normal'), at === null ? NO_VALUE : vectorInWords(at.normal.map((part) => Number(part.toFixed(3))))],
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
  const ray = session.chosen.ray.value;
  if (ray === null) return null;
  const digits = Math.max(0, 3 - Math.round(Math.log10(session.unit.value)));
  return (
    <VectorRow
      id={`ray-${part}`}
      label={wordsRays(`ray.${part}`)}
      name={(axis) => wordsRays(`ray.${part}-axis`, { axis })}
      value={ray[part]}
      digits={Math.min(12, Math.max(4, digits))}
      step={session.unit.value * 10}
      limits={{ least: -1e18, most: 1e18 }}
      onCommit={(value, answered) => {
        const vector = value.map((each) => Number(exact(each))) as Vector;
        if (part === 'direction' && vector.every((each) => each === 0)) {
          answered({ text: () => wordsRays('ray.nowhere') });
          return;
        }
        session.chosen.setRay({ ...ray, [part]: vector });
        answered(null);
      }}
    />
  );
}

/** What makes the same numbers on the command line. */
async function copyCommand(session: Session): Promise<void> {
  const [ray, source] = [session.chosen.ray.value, session.source.value];
  if (ray === null || source === null) return;
  const file = 'file' in source ? source.file.name : `${source.scene}.ply`;
  const command = `embate cast ${file} --ray=${exactList([...ray.origin, ...ray.direction])} --structure ${session.chosen.technique.value} --trace 0 --json`;
  tell((await copy(command)) ? () => wordsRays('said.command') : () => command);
}

function Compared({ session, structures }: { session: Session; structures: readonly CastOf[] }) {
  const ours = hitOf(session);
  const studys = structures.find(({ name }) => name === 'study-octree');
  return (
    <>
      <table class="table compared">
        <caption class="visually-hidden">{wordsRays('ray.compare')}</caption>
        <thead>
          <tr>
            <th scope="col">{wordsRays('ray.structure')}</th>
            <th scope="col">{wordsRays('ray.tests')}</th>
            <th scope="col">{wordsRays('ray.cells')}</th>
            <th scope="col">{wordsRays('ray.at')}</th>
          </tr>
        </thead>
        <tbody>
          {structures.map(({ name, tests, boxes, t, triangle }) => (
            <tr
              key={name}
              class={name === session.chosen.technique.value ? 'marked' : ''}
              data-structure={name}
              data-tests={tests}
              data-boxes={boxes}
              data-t={t === null ? '' : exact(t)}
              data-triangle={triangle ?? ''}
            >
              <th scope="row">{wordsRays(`structure.${name}-name`)}</th>
              <td>{plain(tests, language.value)}</td>
              <td>{plain(boxes, language.value)}</td>
              <td>{t === null ? NO_VALUE : significant(t, 5, language.value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {studys !== undefined && studys.t !== ours && Math.abs((studys.t ?? Infinity) - (ours ?? Infinity)) > 1e-3 * Math.abs(ours ?? 1) && (
        <p class="muted small">{wordsRays('ray.differs')}</p>
      )}
    </>
  );
}
