/** Nodes or cells visited by the ray, in order, with the triangle tests in each; paged. */
import { useSignal, useSignalEffect } from '@preact/signals';

import { Button } from '../../../shared/ui/button.tsx';
import { csv, saveText } from '../../../shared/downloads.ts';
import { language, t } from '../../../shared/i18n/translate.ts';
import { NO_VALUE, formatNumber, formatSignificant } from '../../../shared/i18n/number-format.ts';
import { Pager } from '../../../shared/ui/pager.tsx';
import { TableScroll } from '../../../shared/ui/table-scroll.tsx';
import { announce } from '../../../shell/status.tsx';
import { fileStem, volumeOf } from '../state/mesh-names.ts';
import { f32Text } from '../state/float-text.ts';
import { VISIT, type Traversal } from '../workers/protocol.ts';
import type { Session } from '../state/session.ts';
import { tRays } from '../i18n/translate.ts';

const A_PAGE = 12;

export function Visited({ session }: { session: Session }) {
  const page = useSignal(0);
  const { traversal, step, count } = session.results.playback;
  // The page follows the playback step.
  useSignalEffect(() => {
    page.value = Math.floor(Math.max(0, step.value - 1) / A_PAGE);
  });
  const trace = traversal.value;
  const volume = volumeOf(trace?.technique ?? session.selection.technique.value);
  return (
    <section class="panel panel-visited" aria-labelledby="visited-title">
      <div class="panel-head">
        <h2 id="visited-title">{tRays(`visited.title-${volume}`)}</h2>
        {count.value > 0 && <span class="muted small">{tRays('visited.of', { count: count.value })}</span>}
        {trace !== null && count.value > 0 && (
          <div class="end">
            <Button
              class="compact"
              label={`${t('experiment.csv')}: ${tRays(`visited.title-${volume}`)}`}
              onClick={() => saveVisits(trace, `${fileStem(session.source.value)}-visits-${trace.technique}.csv`)}
            >
              {t('experiment.csv')}
            </Button>
          </div>
        )}
      </div>
      {trace === null || count.value === 0 ? (
        <p class="muted small">
          {session.selection.technique.value === 'brute'
            ? tRays('visited.none', { count: session.facts.value?.triangles ?? 0 })
            : trace === null
              ? tRays('structure.waiting')
              : tRays('visited.nothing')}
        </p>
      ) : (
        <TableScroll label={tRays(`visited.table-${volume}`)}>
          <Table session={session} traversal={trace} page={page.value} />
        </TableScroll>
      )}
      <Pager page={page.value} rows={A_PAGE} count={count.value} onPage={(to) => (page.value = to)} />
    </section>
  );
}

function Table({ session, traversal: { technique, rows }, page }: { session: Session; traversal: Traversal; page: number }) {
  const volume = volumeOf(technique);
  const locale = language.value;
  const { step, count } = session.results.playback;
  const shown = Array.from({ length: Math.min(A_PAGE, Math.max(0, count.value - page * A_PAGE)) }, (_, place) => page * A_PAGE + place);
  return (
    <table class="table visited-table">
      <caption class="visually-hidden">{tRays(`visited.table-${volume}`)}</caption>
      <thead>
        <tr>
          <th scope="col">{tRays(`visited.number-${volume}`)}</th>
          <th scope="col">{tRays('visited.enters')}</th>
          <th scope="col">{tRays('visited.side')}</th>
          <th scope="col">{tRays(`visited.tests-${volume}`)}</th>
          <th scope="col">{tRays('visited.nearest')}</th>
        </tr>
      </thead>
      <tbody>
        {shown.map((visit) => {
          const at = visit * VISIT.size;
          const side = Math.max(...[0, 1, 2].map((axis) => rows[at + VISIT.max + axis]! - rows[at + axis]!));
          const nearest = rows[at + VISIT.nearest]!;
          return (
            <tr key={visit} class={visit + 1 === step.value ? 'marked' : ''}>
              <th scope="row">
                <button
                  type="button"
                  class="step-button"
                  aria-label={tRays(`visited.go-${volume}`, { step: visit + 1 })}
                  aria-current={visit + 1 === step.value ? 'step' : undefined}
                  onClick={() => session.results.playback.go(visit + 1)}
                >
                  {visit + 1}
                </button>
              </th>
              <td>{formatSignificant(rows[at + VISIT.enters]!, 4, locale)}</td>
              <td>{formatSignificant(side, 3, locale)}</td>
              <td>{formatNumber(rows[at + VISIT.tests]!, locale)}</td>
              <td>{Number.isNaN(nearest) ? NO_VALUE : formatSignificant(nearest, 4, locale)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

const COLUMNS = ['box', 'min_x', 'min_y', 'min_z', 'max_x', 'max_y', 'max_z', 'enters', 'tested', 'nearest'];

/** Saves the volumes in the format of `embate cast --trace`, with the tests in each. */
function saveVisits({ rows }: Traversal, file: string): void {
  const table: string[][] = [COLUMNS];
  for (let at = 0; at < rows.length; at += VISIT.size) {
    const numbers = [...rows.subarray(at, at + VISIT.size)].map((number) => (Number.isFinite(number) ? f32Text(number) : ''));
    table.push([String(at / VISIT.size), ...numbers]);
  }
  saveText(csv(table), file, 'text/csv');
  announce(() => t('announce.saved', { file }));
}
