/** What came out of an experiment of the study? Charts, then every figure with the published one beside it. */
import { Chart, Legend } from '../../../shared/chart/chart.tsx';
import { language, words } from '../../../shared/i18n.ts';
import { TableScroll } from '../../../shared/table-scroll.tsx';
import { bytes, difference, fixed, mean, NO_VALUE, plain, significant } from '../../../shared/numbers.ts';
import type { Measured } from '../protocol.ts';
import type { Session } from '../session.ts';
import { chartsOf, linesOfAll } from './charts.ts';
import type { Results } from './experiments.ts';
import { ClockNote } from './comparison.tsx';
import { findingsOf } from './findings.ts';
import { cellOf, missedText, published, speedupOverStudy, timeText } from './rows.ts';

interface Props {
  session: Session;
  results: Results;
}

export function ExperimentResults({ session, results }: Props) {
  const { experiments, catalogue } = session;
  const [known, experiment] = [catalogue.value, experiments.experiment.value];
  if (known === null || experiment === undefined) {
    return null;
  }
  const label = (technique: string): string => experiments.label(technique);
  const charts = chartsOf({ catalogue: known, experiment, rows: results.rows, label });
  return (
    <>
      <Legend lines={linesOfAll(charts)} />
      <div class="charts">
        {charts.map((spec, place) => (
          <Chart key={place} spec={spec} />
        ))}
      </div>
      <Findings texts={findingsOf(experiment, results.rows, known)} />
      <ClockNote rows={results.rows} />
      <ResultsTable session={session} results={results} />
      {experiment.published.length > 0 && <p class="muted small">{words('table.note')}</p>}
    </>
  );
}

function Findings({ texts }: { texts: readonly string[] }) {
  return texts.length === 0 ? null : (
    <div class="findings">
      <h3>{words('finding.title')}</h3>
      <ul class="small">
        {texts.map((text, place) => (
          <li key={place}>{text}</li>
        ))}
      </ul>
    </div>
  );
}

interface Column {
  head: string;
  /** Of words rather than figures. */
  isText?: boolean;
  cell: (row: Measured) => string;
}

function ResultsTable({ session, results }: Props) {
  const columns = columnsOf(session, results.rows);
  return (
    <TableScroll label={words('table.results')} tall>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{words('table.technique')}</th>
            {columns.map(({ head, isText }, column) => (
              <th key={column} scope="col" class={isText === true ? 'words' : ''}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {results.rows.map((row, place) => (
            <tr key={place}>
              <th scope="row">{session.experiments.label(row.parameters.technique)}</th>
              {columns.map(({ isText, cell }, column) => (
                <td key={column} class={isText === true ? 'words' : ''}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
}

function columnsOf(session: Session, rows: readonly Measured[]): Column[] {
  const now = language.value;
  const catalogue = session.catalogue.value;
  const experiment = session.experiments.experiment.value;
  const printed = (row: Measured, what: 'tests' | 'ms'): number | undefined => published(experiment, row)?.[what];
  const beside = (what: 'tests' | 'ms', ours: (row: Measured) => number): Column[] =>
    experiment?.published.length === 0
      ? []
      : [
          {
            head: words(`table.published-${what}`),
            cell: (row) => {
              const value = printed(row, what);
              return value === undefined ? NO_VALUE : plain(value, now);
            },
          },
          {
            head: words(`table.difference-${what}`),
            cell: (row) => {
              const value = printed(row, what);
              return value === undefined ? NO_VALUE : difference(ours(row), value, now);
            },
          },
        ];
  const varied: Column[] =
    experiment?.varies === 'cellSize'
      ? [
          {
            head: words('table.cell'),
            cell: (row) => {
              const cell = catalogue === null ? null : cellOf(catalogue, row);
              return cell === null ? NO_VALUE : plain(cell, now);
            },
          },
        ]
      : [
          { head: words('table.objects'), cell: ({ parameters }) => plain(parameters.objects, now) },
          { head: words('table.bounds'), isText: true, cell: ({ parameters }) => words(`form.bounds.${parameters.bounds}`) },
        ];
  return [
    ...varied,
    { head: words('table.tests'), cell: (row) => mean(row.testsPerFrame, now) },
    ...beside('tests', (row) => row.testsPerFrame),
    { head: words('table.ms'), cell: (row) => timeText(row, now) },
    ...beside('ms', (row) => row.msPerFrame),
    { head: words('table.fps'), cell: (row) => fixed(row.fps, 0, now) },
    {
      head: words('table.speedup.short'),
      cell: (row) => {
        const times = speedupOverStudy(rows, row);
        return times === null ? NO_VALUE : `${significant(times, 3, now)} ×`;
      },
    },
    { head: words('table.pairs'), cell: (row) => mean(row.pairsPerFrame, now) },
    { head: words('table.missed'), cell: (row) => missedText(row, now) },
    { head: words('table.memory'), cell: (row) => bytes(row.bytes, now) },
  ];
}
