/** Which boxes does the ray visit, in which order, and what is tested there? A page at a time, every one of them. */
import { useSignal, useSignalEffect } from '@preact/signals';

import { Button } from '../../shared/button.tsx';
import { csv, saveText } from '../../shared/downloads.ts';
import { language, words } from '../../shared/i18n.ts';
import { NO_VALUE, plain, significant } from '../../shared/numbers.ts';
import { Pager } from '../../shared/pager.tsx';
import { TableScroll } from '../../shared/table-scroll.tsx';
import { say } from '../../shell/status.tsx';
import { exact } from './digits.ts';
import { VISIT, type Walk } from './protocol.ts';
import type { Session } from './session.ts';
import { wordsRays } from './words.ts';

const A_PAGE = 12;

export function Visited({ session }: { session: Session }) {
  const page = useSignal(0);
  const { walk, step, count } = session.answers.walked;
  // What is shown goes with the step.
  useSignalEffect(() => {
    page.value = Math.floor(Math.max(0, step.value - 1) / A_PAGE);
  });
  const walked = walk.value;
  return (
    <section class="panel panel-visited" aria-labelledby="visited-title">
      <div class="panel-head">
        <h2 id="visited-title">{wordsRays('visited.title')}</h2>
        {count.value > 0 && <span class="muted small">{wordsRays('visited.of', { count: count.value })}</span>}
        {walked !== null && count.value > 0 && (
          <div class="end">
            <Button class="compact" onClick={() => saveVisits(walked)}>
              {words('lab.csv')}
            </Button>
          </div>
        )}
      </div>
      {walked === null || count.value === 0 ? (
        <p class="muted small">
          {session.chosen.technique.value === 'brute'
            ? wordsRays('visited.none', { count: session.facts.value?.triangles ?? 0 })
            : walked === null
              ? wordsRays('structure.waiting')
              : wordsRays('visited.nothing')}
        </p>
      ) : (
        <TableScroll label={wordsRays('visited.table')}>
          <Table session={session} walk={walked} page={page.value} />
        </TableScroll>
      )}
      <Pager page={page.value} rows={A_PAGE} count={count.value} onPage={(to) => (page.value = to)} />
    </section>
  );
}

function Table({ session, walk: { rows }, page }: { session: Session; walk: Walk; page: number }) {
  const spoken = language.value;
  const { step, count } = session.answers.walked;
  const shown = Array.from({ length: Math.min(A_PAGE, Math.max(0, count.value - page * A_PAGE)) }, (_, place) => page * A_PAGE + place);
  return (
    <table class="table visited-table">
      <caption class="visually-hidden">{wordsRays('visited.table')}</caption>
      <thead>
        <tr>
          <th scope="col">{wordsRays('visited.number')}</th>
          <th scope="col">{wordsRays('visited.enters')}</th>
          <th scope="col">{wordsRays('visited.side')}</th>
          <th scope="col">{wordsRays('visited.tests')}</th>
          <th scope="col">{wordsRays('visited.nearest')}</th>
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
                  aria-label={wordsRays('visited.go', { step: visit + 1 })}
                  aria-current={visit + 1 === step.value ? 'step' : undefined}
                  onClick={() => session.answers.walked.go(visit + 1)}
                >
                  {visit + 1}
                </button>
              </th>
              <td>{significant(rows[at + VISIT.enters]!, 4, spoken)}</td>
              <td>{significant(side, 3, spoken)}</td>
              <td>{plain(rows[at + VISIT.tests]!, spoken)}</td>
              <td>{Number.isNaN(nearest) ? NO_VALUE : significant(nearest, 4, spoken)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

const COLUMNS = ['box', 'min_x', 'min_y', 'min_z', 'max_x', 'max_y', 'max_z', 'enters', 'tested', 'nearest'];

/** The boxes as `embate cast --trace` tells them, and what was done there. */
function saveVisits({ technique, rows }: Walk): void {
  const table: string[][] = [COLUMNS];
  for (let at = 0; at < rows.length; at += VISIT.size) {
    const numbers = [...rows.subarray(at, at + VISIT.size)].map((number) => (Number.isFinite(number) ? exact(number) : ''));
    table.push([String(at / VISIT.size), ...numbers]);
  }
  const file = `visits-${technique}.csv`;
  saveText(csv(table), file, 'text/csv');
  say(() => words('said.saved', { file }));
}
