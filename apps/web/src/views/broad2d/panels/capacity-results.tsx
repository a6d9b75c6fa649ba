/** Most objects of each technique at 60 and at 30 frames per second, with the study's conclusion. */
import { language } from '../../../shared/i18n/translate.ts';
import { t2d } from '../i18n/translate.ts';
import { tResults } from '../i18n/results-translate.ts';
import { TableScroll } from '../../../shared/ui/table-scroll.tsx';
import { NO_VALUE, formatNumber } from '../../../shared/i18n/number-format.ts';
import type { Bounds, Measured } from '../workers/protocol.ts';
import type { Session } from '../state/session.ts';
import { CAPACITY_FPS, type Results } from '../state/experiments/experiments.ts';

/** Largest number of objects of the study's table. */
const PUBLISHED = 5000;
const ALL_BOUNDS: readonly Bounds[] = ['aabb', 'circle'];

export function CapacityResults({ session, results }: { session: Session; results: Results }) {
  const techniques = [...new Set(results.rows.map(({ parameters }) => parameters.technique))];
  const columns = ALL_BOUNDS.flatMap((bounds) => CAPACITY_FPS.map((fps) => ({ bounds, fps })));
  const find = (technique: string, bounds: Bounds, fps: number): Measured | undefined =>
    results.rows.find(
      ({ parameters, capacity }) => parameters.technique === technique && parameters.bounds === bounds && capacity?.fps === fps,
    );
  return (
    <>
      <TableScroll label={t2d('table.results')}>
        <table class="table">
          <caption class="visually-hidden">{t2d('experiment.capacity.title')}</caption>
          <thead>
            <tr>
              <th scope="col">{t2d('form.technique')}</th>
              {columns.map(({ bounds, fps }) => (
                <th key={`${bounds}-${fps}`} scope="col">
                  {tResults('capacity.column', { bounds: t2d(`form.bounds.${bounds}`), fps })}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {techniques.map((technique) => (
              <tr key={technique}>
                <th scope="row">{session.experiments.label(technique)}</th>
                {columns.map(({ bounds, fps }) => (
                  <td key={`${bounds}-${fps}`}>{objectsText(find(technique, bounds, fps))}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
      <Conclusion rows={ALL_BOUNDS.map((bounds) => find('study-grid', bounds, 30))} />
      <p class="muted small">{tResults('capacity.note')}</p>
    </>
  );
}

/** `12,300`, or `≥ 50,000` where the world held no more. */
function objectsText(row: Measured | undefined): string {
  if (row === undefined) return NO_VALUE;
  const objects = formatNumber(row.parameters.objects, language.value);
  return row.capacity?.atLeast === true ? tResults('capacity.at-least', { objects }) : objects;
}

function Conclusion({ rows }: { rows: readonly (Measured | undefined)[] }) {
  const [boxes, circles] = rows;
  if (boxes === undefined || circles === undefined) return null;
  const isHeld = [boxes, circles].every(({ parameters }) => parameters.objects >= PUBLISHED);
  return (
    <p class="small">
      {tResults(isHeld ? 'capacity.held' : 'capacity.not-held', {
        boxes: objectsText(boxes),
        circles: objectsText(circles),
        published: formatNumber(PUBLISHED, language.value),
      })}
    </p>
  );
}
