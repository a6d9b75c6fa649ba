/** Which bodies are there? A table in step with the stage; rows are chosen by click or key. */
import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { Button } from '../../shared/button.tsx';
import { FieldProblem } from '../../shared/fields.tsx';
import { language, words } from '../../shared/i18n.ts';
import { fixed, significant } from '../../shared/numbers.ts';
import { Pager } from '../../shared/pager.tsx';
import { TableScroll } from '../../shared/table-scroll.tsx';
import { AXES } from '../../shared/vector.ts';
import { errorTold } from './engine-errors.ts';
import { shapeName } from './names.ts';
import { ROW } from './protocol.ts';
import type { Session } from './session.ts';
import { NEW_SHAPES, type NewShape, newShape } from './shape-fields.tsx';
import { words3d } from './words.ts';

/** As many as are seen at once: a table of a thousand rows would take the page longer than the engine takes to move them. */
const ROWS = 20;

export function Objects({ session }: { session: Session }) {
  const bodies = session.bodies.value;
  const refusal = session.refusal.value;
  const page = useSignal(0);
  // The row of what is selected is always in the table.
  useSignalEffect(() => {
    const selected = session.selection.key.value;
    const place = session.bodies.value.findIndex(({ key }) => key === selected);
    if (place >= 0) page.value = Math.floor(place / ROWS);
  });
  const table = useRef<HTMLDivElement>(null);
  useEffect(() => showRow(table.current?.querySelector('tr.marked') ?? null), [session.selection.key.value, page.value]);
  const pages = Math.max(1, Math.ceil(bodies.length / ROWS));
  const shown = Math.min(page.value, pages - 1);
  const first = shown * ROWS;
  return (
    <section class="panel panel-objects" aria-labelledby="objects-title">
      <div class="panel-head">
        <h2 id="objects-title">
          {words('form.objects')} <span class="muted small">{bodies.length}</span>
        </h2>
        <div class="end object-tools">
          <Button class="compact" idle={session.undoable.value === 0} cap="U" onClick={() => session.edit({ do: 'undo' }, 'objects')}>
            {words3d('objects.undo')}
          </Button>
          <Button class="compact" idle={session.redoable.value === 0} cap="Y" onClick={() => session.edit({ do: 'redo' }, 'objects')}>
            {words3d('objects.redo')}
          </Button>
        </div>
      </div>
      <AddTools session={session} />
      <FieldProblem id="objects-problem" {...errorTold(refusal?.by === 'objects' ? refusal.error : undefined)} />
      {bodies.length === 0 ? (
        <p class="muted small">{words3d('objects.none')}</p>
      ) : (
        <div ref={table}>
          <TableScroll label={words3d('objects.table')} tall>
            <Table session={session} first={first} />
          </TableScroll>
        </div>
      )}
      <Pager page={shown} rows={ROWS} count={bodies.length} onPage={(to) => (page.value = to)} />
    </section>
  );
}

/** Within its own box: the page stays where it is. */
function showRow(row: HTMLElement | null): void {
  const box = row?.closest('.table-scroll');
  const head = box?.querySelector('thead');
  if (row === null || !(box instanceof HTMLElement) || !(head instanceof HTMLElement)) return;
  const [above, below] = [row.offsetTop - head.offsetHeight, row.offsetTop + row.offsetHeight - box.clientHeight];
  if (box.scrollTop > above) box.scrollTop = above;
  else if (box.scrollTop < below) box.scrollTop = below;
}

function AddTools({ session }: { session: Session }) {
  const shape = useSignal<NewShape>('sphere');
  const key = session.selection.key.value;
  const add = (): void => {
    const words = { name: `${shapeName(shape.value).toLowerCase()} 1`, shape: newShape(shape.value), mass: 1 };
    session.edit({ do: 'add', words, where: 'above' }, 'objects');
  };
  const waits = !session.canDrive.value;
  return (
    <div class="object-tools">
      <select
        class="select compact-select"
        aria-label={words3d('objects.what')}
        value={shape.value}
        onChange={(event) => (shape.value = event.currentTarget.value as NewShape)}
      >
        {NEW_SHAPES.map((kind) => (
          <option key={kind} value={kind} selected={kind === shape.value}>
            {shapeName(kind)}
          </option>
        ))}
      </select>
      <Button class="compact" disabled={waits} onClick={add}>
        {words3d('objects.add')}
      </Button>
      <Button class="compact" idle={waits || key === null} onClick={() => key !== null && session.edit({ do: 'duplicate', key }, 'objects')}>
        {words3d('objects.copy')}
      </Button>
      <Button class="compact" idle={waits || key === null} onClick={() => session.removeSelected()}>
        {words3d('objects.delete')}
      </Button>
    </div>
  );
}

function Table({ session, first }: { session: Session; first: number }) {
  const rows = session.report.value?.rows;
  const spoken = language.value;
  const number = (value: number | undefined, digits: number): string => fixed(value ?? Number.NaN, digits, spoken);
  return (
    <table class="table objects-table">
      <thead>
        <tr>
          <th scope="col">{words3d('objects.name')}</th>
          <th scope="col" class="words">
            {words3d('objects.shape')}
          </th>
          <th scope="col">{words3d('objects.mass')}</th>
          <th scope="col">{words3d('objects.speed')}</th>
          <th scope="col">{words3d('objects.contacts')}</th>
          {AXES.map((axis) => (
            <th key={axis} scope="col">
              {words3d('objects.place', { axis })}
            </th>
          ))}
          <th scope="col">{words3d('objects.restitution')}</th>
        </tr>
      </thead>
      <tbody>
        {session.bodies.value.slice(first, first + ROWS).map((body, row) => {
          const at = (first + row) * ROW.size;
          const isSelected = body.key === session.selection.key.value;
          return (
            <tr key={body.key} class={isSelected ? 'marked' : ''} data-key={body.key} onClick={() => session.selection.select(body.key)}>
              <th scope="row">
                <button type="button" class="row-button" aria-pressed={isSelected} title={body.name}>
                  {body.name}
                </button>
              </th>
              <td class="words">{shapeName(body.shape)}</td>
              <td>{body.type === 'dynamic' ? significant(body.mass, 3, spoken) : '–'}</td>
              <td>{number(rows?.[at + ROW.speed], 2)}</td>
              <td>{number(rows?.[at + ROW.contacts], 0)}</td>
              {AXES.map((axis, place) => (
                <td key={axis}>{number(rows?.[at + ROW.place + place], 2)}</td>
              ))}
              <td>{number(body.restitution, 2)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
