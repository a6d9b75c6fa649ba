/** What are the figures? The tables of the report, or every row that was measured. */
import { language } from '../../../shared/i18n.ts';
import { fixed, NO_VALUE, plain, significant } from '../../../shared/numbers.ts';
import { TableScroll } from '../../../shared/table-scroll.tsx';
import { wordsOfStudies as say } from '../words.ts';
import { blocksOf, shownSections, type TableTold, type Told } from './told.ts';

export function Tables({ told }: { told: Told }) {
  const sections = shownSections(told.report).filter((section) => blocksOf([section], 'table').length > 0);
  return sections.length === 0 ? (
    <p class="muted small">{say('results.no-tables')}</p>
  ) : (
    <>
      {sections.map((section) => (
        <div key={section.id} class="told-section">
          <h3>{section.heading}</h3>
          {blocksOf([section], 'table').map((table) => (
            <ToldTable key={table.caption} table={table} />
          ))}
        </div>
      ))}
    </>
  );
}

function ToldTable({ table }: { table: TableTold }) {
  return (
    <figure class="told-table">
      <figcaption class="muted small">{table.caption}</figcaption>
      <TableScroll label={table.caption} tall>
        <Cells head={table.head} rows={table.rows} />
      </TableScroll>
    </figure>
  );
}

function Cells({ head, rows }: { head: readonly string[]; rows: readonly (readonly string[])[] }) {
  const isText = head.map((_, column) => rows.every((row) => !/\d/.test(row[column] ?? '') && (row[column] ?? '').length > 1));
  return (
    <table class="table">
      <thead>
        <tr>
          {head.map((name, column) => (
            <th key={column} scope="col" class={isText[column] === true ? 'words' : ''}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, ...cells], row) => (
          <tr key={row}>
            <th scope="row">{name}</th>
            {cells.map((cell, column) => (
              <td key={column} class={isText[column + 1] === true ? 'words' : ''}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** More would make the page slow, and nobody reads them here. */
const MOST_ROWS = 200;

/** The newest rows, by the names of `results.csv`. */
export function RowsTable({ told }: { told: Told }) {
  const { head, lines } = told.rows;
  const shown = lines.slice(-MOST_ROWS);
  const now = language.value;
  const write = (cell: string): string => {
    if (cell === '') return NO_VALUE;
    if (!/^-?\d+(\.\d+)?$/.test(cell)) return cell;
    const value = Number(cell);
    return cell.includes('.') ? (Math.abs(value) >= 1e4 ? fixed(value, 0, now) : significant(value, 5, now)) : plain(value, now);
  };
  return (
    <>
      <TableScroll label={say('results.rows-caption')} tall>
        <Cells head={head} rows={shown.map((line) => line.map(write))} />
      </TableScroll>
      {lines.length > shown.length && <p class="muted small">{say('results.more-rows', { count: lines.length - shown.length })}</p>}
    </>
  );
}
