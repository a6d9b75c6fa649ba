/** Tables of the report, and the table of all measured rows. */
import { language } from '../../../../shared/i18n/translate.ts';
import { formatFixed, NO_VALUE, formatNumber, formatSignificant } from '../../../../shared/i18n/number-format.ts';
import { TableScroll } from '../../../../shared/ui/table-scroll.tsx';
import { tStudies } from '../../i18n/translate.ts';
import { blocksOf, shownSections, type ReportTable, type Results } from '../../workers/report-data.ts';

export function Tables({ results }: { results: Results }) {
  const sections = shownSections(results.report).filter((section) => blocksOf([section], 'table').length > 0);
  return sections.length === 0 ? (
    <p class="muted small">{tStudies('results.no-tables')}</p>
  ) : (
    <>
      {sections.map((section) => (
        <div key={section.id} class="results-section">
          <h3>{section.heading}</h3>
          {blocksOf([section], 'table').map((table) => (
            <ReportTableView key={table.caption} table={table} />
          ))}
        </div>
      ))}
    </>
  );
}

function ReportTableView({ table }: { table: ReportTable }) {
  return (
    <figure class="results-table">
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

/** Maximum number of displayed rows, for speed. */
const MAX_ROWS = 200;

/** The newest rows, with the columns of `results.csv`. */
export function RowsTable({ results }: { results: Results }) {
  const { head, lines } = results.rows;
  const shown = lines.slice(-MAX_ROWS);
  const now = language.value;
  const write = (cell: string): string => {
    if (cell === '') return NO_VALUE;
    if (!/^-?\d+(\.\d+)?$/.test(cell)) return cell;
    const value = Number(cell);
    return cell.includes('.') ? (Math.abs(value) >= 1e4 ? formatFixed(value, 0, now) : formatSignificant(value, 5, now)) : formatNumber(value, now);
  };
  return (
    <>
      <p class="muted small">{tStudies('results.rows-caption')}</p>
      <TableScroll label={tStudies('results.rows-caption')} tall>
        <Cells head={head} rows={shown.map((line) => line.map(write))} />
      </TableScroll>
      {lines.length > shown.length && <p class="muted small">{tStudies('results.more-rows', { count: lines.length - shown.length })}</p>}
    </>
  );
}
