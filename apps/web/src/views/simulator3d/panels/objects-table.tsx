/**
 * Table of bodies, updated with the stage.
 *
 * Rows are selected by click or key. Numbers are edited in place: by double click, or with the arrow
 * keys from the name of a body to a cell, and Enter.
 */
import { type Signal, useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';

import { FieldErrorText } from '../../../shared/ui/fields.tsx';
import type { EntryError } from '../../../shared/ui/form-entry.ts';
import { language } from '../../../shared/i18n/translate.ts';
import { formatFixed, formatInput, formatSignificant } from '../../../shared/i18n/number-format.ts';
import { EntryField, type Limits, useNumber } from '../../../shared/ui/number-rows.tsx';
import { TableScroll } from '../../../shared/ui/table-scroll.tsx';
import { AXES } from '../../../shared/vector.ts';
import { bodyName } from '../i18n/body-names.ts';
import { shapeName } from '../i18n/names.ts';
import { type BodyRow, ROW } from '../workers/protocol.ts';
import type { Session } from '../state/session.ts';
import { t3d } from '../i18n/translate.ts';

/** Digits after the decimal separator of an edited value, as in the form of the body. */
const EDITED_DIGITS = { still: 6, moving: 3 };
const PROBLEM = 'object-cell-problem';

interface Column {
  id: string;
  head: () => string;
  /** The value; `at` is the start of the body's row in the report. */
  value: (body: BodyRow, rows: Float32Array | undefined, at: number) => number | undefined;
  /** Displayed digits after the decimal separator; null for three significant digits. */
  digits: number | null;
  /** JSON of an edit; without it the column is not editable. */
  json?: (value: number) => object;
  limits?: (session: Session) => Limits;
  /** The value changes by itself. */
  moves?: boolean;
  /** Fixed bodies have no such value. */
  isOfMoving?: boolean;
}

/** Along one axis; null leaves the others as they are. */
function along(axis: number, value: number): (number | null)[] {
  return AXES.map((_, each) => (each === axis ? value : null));
}

/** The values edited most come first, and fit without horizontal scrolling. */
const COLUMNS: readonly Column[] = [
  {
    id: 'mass',
    head: () => t3d('objects.mass'),
    value: ({ type, mass }) => (type === 'dynamic' ? mass : undefined),
    digits: null,
    json: (mass) => ({ mass }),
    limits: () => ({ above: 0 }),
    isOfMoving: true,
  },
  {
    id: 'restitution',
    head: () => t3d('objects.restitution'),
    value: ({ restitution }) => restitution,
    digits: 2,
    json: (restitution) => ({ restitution }),
    limits: () => ({ min: 0, max: 1 }),
  },
  ...AXES.map((axis, place): Column => ({
    id: axis,
    head: () => t3d('objects.place', { axis }),
    value: (_, rows, at) => rows?.[at + ROW.place + place],
    digits: 2,
    json: (value) => ({ position: along(place, value) }),
    limits: ({ catalog }) => ({ min: -(catalog.value?.farthest ?? Infinity), max: catalog.value?.farthest ?? Infinity }),
    moves: true,
  })),
  ...AXES.map((axis, place): Column => ({
    id: `v${axis}`,
    head: () => t3d('objects.velocity', { axis }),
    value: ({ type }, rows, at) => (type === 'fixed' ? undefined : rows?.[at + ROW.velocity + place]),
    digits: 2,
    json: (value) => ({ velocity: along(place, value) }),
    moves: true,
    isOfMoving: true,
  })),
  { id: 'speed', head: () => t3d('objects.speed'), value: (_, rows, at) => rows?.[at + ROW.speed], digits: 2 },
  { id: 'contacts', head: () => t3d('objects.contacts'), value: (_, rows, at) => rows?.[at + ROW.contacts], digits: 0 },
  {
    id: 'friction',
    head: () => t3d('objects.friction'),
    value: ({ friction }) => friction,
    digits: 2,
    json: (friction) => ({ friction }),
    limits: () => ({ min: 0 }),
  },
];

/** The edited cell. */
interface Edited {
  key: number;
  column: string;
}

interface ObjectsTableProps {
  session: Session;
  /** Index of the first shown body, and the number of rows. */
  first: number;
  rows: number;
}

export function ObjectsTable({ session, first, rows: count }: ObjectsTableProps) {
  const edited = useSignal<Edited | null>(null);
  const wrong = useSignal<EntryError | null>(null);
  const table = useRef<HTMLTableElement>(null);
  const rows = session.report.value?.rows;
  const edit = (next: Edited | null): void => {
    const cell = table.current?.querySelector<HTMLElement>('td.edited');
    const hadFocus = cell?.contains(document.activeElement) === true;
    edited.value = next;
    wrong.value = null;
    if (next === null && hadFocus) cell?.focus();
  };
  return (
    <>
      <TableScroll label={t3d('objects.table')} tall>
        <table ref={table} class="table objects-table" role="grid" aria-labelledby="objects-title" aria-describedby="objects-edit" onKeyDown={moveByKey}>
          <thead>
            <tr>
              <th scope="col">{t3d('objects.name')}</th>
              {COLUMNS.map(({ id, head }) => (
                <th key={id} scope="col">
                  {head()}
                </th>
              ))}
              <th scope="col" class="words">
                {t3d('objects.shape')}
              </th>
            </tr>
          </thead>
          <tbody>
            {session.bodies.value.slice(first, first + count).map((body, row) => {
              const isSelected = body.key === session.selection.key.value;
              const at = (first + row) * ROW.size;
              return (
                <tr key={body.key} class={isSelected ? 'marked' : ''} data-key={body.key} onClick={() => session.selection.select(body.key)}>
                  <th scope="row">
                    <button type="button" class="row-button" aria-pressed={isSelected} title={bodyName(body.name)}>
                      {bodyName(body.name)}
                    </button>
                  </th>
                  {COLUMNS.map((column) => (
                    <Cell
                      key={column.id}
                      session={session}
                      body={body}
                      column={column}
                      value={column.value(body, rows, at)}
                      isEdited={edited.value?.key === body.key && edited.value.column === column.id}
                      edit={edit}
                      wrong={wrong}
                    />
                  ))}
                  <td class="words">{shapeName(body.shape)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </TableScroll>
      <FieldErrorText id={PROBLEM} {...(wrong.value?.content?.() ?? { text: wrong.value?.text() })} />
      <p class="field-note" id="objects-edit">
        {t3d('objects.edit')}
      </p>
    </>
  );
}

interface CellProps {
  session: Session;
  body: BodyRow;
  column: Column;
  value: number | undefined;
  isEdited: boolean;
  edit: (next: Edited | null) => void;
  wrong: Signal<EntryError | null>;
}

function Cell({ session, body, column, value, isEdited, edit, wrong }: CellProps) {
  const { id, digits, json, isOfMoving } = column;
  const shown = value === undefined ? '–' : digits === null ? formatSignificant(value, 3, language.value) : formatFixed(value, digits, language.value);
  if (json === undefined || value === undefined || (isOfMoving === true && body.type === 'fixed')) return <td>{shown}</td>;
  const begin = (): void => {
    if (!isEdited) edit({ key: body.key, column: id });
  };
  return (
    <td
      class={isEdited ? 'editable edited' : 'editable'}
      tabIndex={-1}
      data-column={id}
      onDblClick={begin}
      onKeyDown={(event) => {
        if (event.target !== event.currentTarget || (event.key !== 'Enter' && event.key !== 'F2')) return;
        event.preventDefault();
        begin();
      }}
    >
      {isEdited ? <CellEditor session={session} body={body} column={column} value={value} close={() => edit(null)} wrong={wrong} /> : shown}
    </td>
  );
}

interface CellEditorProps {
  session: Session;
  body: BodyRow;
  column: Column;
  value: number;
  close: () => void;
  wrong: Signal<EntryError | null>;
}

function CellEditor({ session, body, column, value, close, wrong }: CellEditorProps) {
  const place = useRef<HTMLSpanElement>(null);
  const digits = column.moves === true ? EDITED_DIGITS.moving : EDITED_DIGITS.still;
  const limits = column.limits?.(session);
  const label = t3d('objects.cell-label', { what: column.head().replaceAll('\u00AD', ''), name: bodyName(body.name) });
  const entry = useNumber(label, {
    value,
    limits,
    digits,
    onCommit: (number, onResult) =>
      session.edit({ do: 'change', key: body.key, json: column.json?.(number) ?? {} }, 'objects', (refused) => {
        onResult(refused);
        if (refused === null) close();
      }),
  });
  useLayoutEffect(() => {
    const input = place.current?.querySelector('input');
    input?.focus();
    input?.select();
  }, []);
  useLayoutEffect(() => {
    wrong.value = entry.wrong;
  }, [entry.wrong]);
  const isUnchanged = entry.text === formatInput(value, digits, language.value);
  return (
    <span ref={place}>
      <EntryField
        id="object-cell"
        label={label}
        limits={limits}
        entry={{
          ...entry,
          onDone: isUnchanged ? close : entry.onDone,
          onCancel: () => {
            entry.onCancel();
            close();
          },
        }}
      />
    </span>
  );
}

/** Moves the focus between names and editable cells. */
function moveByKey(event: KeyboardEvent & { currentTarget: HTMLTableElement }): void {
  const from = event.target;
  if (!(from instanceof HTMLElement) || from instanceof HTMLInputElement) return;
  const cell = from.closest<HTMLTableCellElement>('tbody th, tbody td');
  const row = cell?.closest('tr');
  if (cell == null || row == null) return;
  const to = target(event.key, row, cell);
  if (to === undefined) return;
  event.preventDefault();
  to?.focus();
}

/** What a key focuses: null if there is nothing further, undefined if the key moves nothing. */
function target(key: string, row: HTMLTableRowElement, cell: HTMLTableCellElement): HTMLElement | null | undefined {
  const inRow = [...row.cells].flatMap((each) => focusable(each) ?? []);
  const place = inRow.findIndex((each) => cell.contains(each));
  switch (key) {
    case 'ArrowRight':
      return inRow[place + 1] ?? null;
    case 'ArrowLeft':
      return inRow[place - 1] ?? null;
    case 'Home':
      return inRow[0];
    case 'End':
      return inRow.at(-1);
    case 'ArrowDown':
    case 'ArrowUp': {
      let next = row;
      for (;;) {
        const further = key === 'ArrowDown' ? next.nextElementSibling : next.previousElementSibling;
        if (!(further instanceof HTMLTableRowElement)) return null;
        next = further;
        const there = next.cells[cell.cellIndex];
        const found = there === undefined ? null : focusable(there);
        if (found !== null) return found;
      }
    }
    default:
      return undefined;
  }
}

/** The button of a name, or the cell itself if it is editable. */
function focusable(cell: HTMLTableCellElement): HTMLElement | null {
  return cell.querySelector<HTMLElement>('.row-button') ?? (cell.tabIndex === -1 && cell.hasAttribute('tabindex') ? cell : null);
}
