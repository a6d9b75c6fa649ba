/** Panel of the bodies: add, duplicate, delete, undo, and the table. */
import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { Button } from '../../../shared/ui/button.tsx';
import { FieldErrorText } from '../../../shared/ui/fields.tsx';
import { t } from '../../../shared/i18n/translate.ts';
import { Pager } from '../../../shared/ui/pager.tsx';
import { errorText } from '../i18n/engine-errors.ts';
import { shapeName } from '../i18n/names.ts';
import type { Session } from '../state/session.ts';
import { ObjectsTable } from './objects-table.tsx';
import { NEW_SHAPES, type NewShape, newShape } from './shape-fields.tsx';
import { t3d } from '../i18n/translate.ts';

/** Visible rows per page: rendering a thousand rows would take longer than a step of the engine. */
const ROWS = 20;

export function Objects({ session }: { session: Session }) {
  const bodies = session.bodies.value;
  const editError = session.editError.value;
  const page = useSignal(0);
  // Shows the page that contains the selected body.
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
          {t('form.objects')} <span class="muted small">{bodies.length}</span>
        </h2>
        <div class="end object-tools">
          <Button class="compact" idle={session.undoable.value === 0} cap="U" onClick={() => session.edit({ do: 'undo' }, 'objects')}>
            {t3d('objects.undo')}
          </Button>
          <Button class="compact" idle={session.redoable.value === 0} cap="Y" onClick={() => session.edit({ do: 'redo' }, 'objects')}>
            {t3d('objects.redo')}
          </Button>
        </div>
      </div>
      <AddTools session={session} />
      <FieldErrorText id="objects-problem" {...errorText(editError?.by === 'objects' ? editError.error : undefined)} />
      {bodies.length === 0 ? (
        <p class="muted small">{t3d('objects.none')}</p>
      ) : (
        <div ref={table}>
          <ObjectsTable key={session.openings.value} session={session} first={first} rows={ROWS} />
        </div>
      )}
      <Pager page={shown} rows={ROWS} count={bodies.length} onPage={(to) => (page.value = to)} />
    </section>
  );
}

/** Scrolls only its own box, not the page. */
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
    const json = { name: `${shape.value} 1`, shape: newShape(shape.value), mass: 1 };
    session.edit({ do: 'add', json, where: 'above' }, 'objects');
  };
  const waits = !session.canPlay.value;
  return (
    <div class="object-tools">
      <select
        class="select compact-select"
        aria-label={t3d('objects.what')}
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
        {t3d('objects.add')}
      </Button>
      <Button class="compact" idle={waits || key === null} onClick={() => key !== null && session.edit({ do: 'duplicate', key }, 'objects')}>
        {t3d('objects.copy')}
      </Button>
      <Button class="compact" idle={waits || key === null} onClick={() => session.removeSelected()}>
        {t3d('objects.delete')}
      </Button>
    </div>
  );
}
