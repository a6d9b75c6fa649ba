/**
 * Results of an experiment of Gonçales et al. 2016: charts, then a table with the published values
 * beside ours.
 */
import { Chart, Legend } from '../../../shared/chart/chart.tsx';
import { language } from '../../../shared/i18n/translate.ts';
import { t2d } from '../i18n/translate.ts';
import { tResults } from '../i18n/results-translate.ts';
import { TableScroll } from '../../../shared/ui/table-scroll.tsx';
import { formatBytes, formatDifference, formatFixed, formatMean, NO_VALUE, formatNumber, formatSignificant } from '../../../shared/i18n/number-format.ts';
import type { Measured } from '../workers/protocol.ts';
import type { Session } from '../state/session.ts';
import { captionOf } from '../state/experiments/caption.ts';
import { chartsOf, linesOfAll } from '../state/experiments/charts.ts';
import type { Results } from '../state/experiments/experiments.ts';
import { ClockNote, NoiseNote } from './comparison.tsx';
import { type Finding, findingsOf, KINDS } from '../state/experiments/findings.ts';
import { OWN } from '../state/experiments/scaling.ts';
import { cellOf, missedText, published, speedupOverStudy, timeText } from '../state/experiments/result-rows.ts';

interface Props {
  session: Session;
  results: Results;
}

export function ExperimentResults({ session, results }: Props) {
  const { experiments, catalog } = session;
  const [known, experiment] = [catalog.value, experiments.experiment.value];
  if (known === null || experiment === undefined) {
    return null;
  }
  const label = (technique: string): string => experiments.label(technique);
  const charts = chartsOf({ catalog: known, experiment, rows: results.rows, label });
  return (
    <>
      <Legend lines={linesOfAll(charts)} bars={tResults('chart.spread')} />
      <div class="charts">
        {charts.map((spec, place) => (
          <Chart key={place} spec={spec} />
        ))}
      </div>
      {experiment.number !== OWN && <Findings findings={findingsOf(experiment, results.rows, known)} />}
      <ClockNote rows={results.rows} />
      <NoiseNote session={session} rows={results.rows} />
      <ResultsTable session={session} results={results} />
      <p class="muted small">{tResults(experiment.number === OWN ? 'table.spread' : experiment.published.length > 0 ? 'table.note' : 'table.unpublished')}</p>
    </>
  );
}

function Findings({ findings }: { findings: readonly Finding[] }) {
  return findings.length === 0 ? null : (
    <div class="findings">
      <h3>{tResults('finding.title')}</h3>
      {KINDS.filter((kind) => findings.some((finding) => finding.kind === kind)).map((kind) => (
        <div key={kind} data-kind={kind}>
          <h4>{tResults(`finding.kind.${kind}`)}</h4>
          <ul class="small">
            {findings.map((finding, place) => finding.kind === kind && <li key={place}>{finding.text}</li>)}
          </ul>
        </div>
      ))}
    </div>
  );
}

interface Column {
  head: string;
  /** Text column, not numeric. */
  isText?: boolean;
  cell: (row: Measured) => string;
}

function ResultsTable({ session, results }: Props) {
  const columns = columnsOf(session, results.rows);
  return (
    <TableScroll label={t2d('table.results')} tall>
      <table class="table">
        <caption class="visually-hidden">{captionOf(results, session.experiments.experiment.value)}</caption>
        <thead>
          <tr>
            <th scope="col">{t2d('form.technique')}</th>
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
  const catalog = session.catalog.value;
  const experiment = session.experiments.experiment.value;
  const printed = (row: Measured, what: 'tests' | 'ms'): number | undefined => published(experiment, row)?.[what];
  const beside = (what: 'tests' | 'ms', ours: (row: Measured) => number): Column[] =>
    experiment?.published.length === 0
      ? []
      : [
          {
            head: tResults(`table.published-${what}`),
            cell: (row) => {
              const value = printed(row, what);
              return value === undefined ? NO_VALUE : formatNumber(value, now);
            },
          },
          {
            head: tResults(`table.difference-${what}`),
            cell: (row) => {
              const value = printed(row, what);
              return value === undefined ? NO_VALUE : formatDifference(ours(row), value, now);
            },
          },
        ];
  const varied: Column[] =
    experiment?.varies === 'cellSize'
      ? [
          {
            head: tResults('table.cell'),
            cell: (row) => {
              const cell = catalog === null ? null : cellOf(catalog, row);
              return cell === null ? NO_VALUE : formatNumber(cell, now);
            },
          },
        ]
      : [
          { head: t2d('form.objects'), cell: ({ parameters }) => formatNumber(parameters.objects, now) },
          { head: tResults('table.bounds'), isText: true, cell: ({ parameters }) => t2d(`form.bounds.${parameters.bounds}`) },
        ];
  return [
    ...varied,
    { head: t2d('table.tests'), cell: (row) => formatMean(row.testsPerFrame, now) },
    ...beside('tests', (row) => row.testsPerFrame),
    { head: t2d('table.ms'), cell: (row) => timeText(row, now) },
    ...beside('ms', (row) => row.msPerFrame),
    { head: t2d('table.fps'), cell: (row) => formatFixed(row.fps, 0, now) },
    {
      head: t2d('table.speedup.short'),
      cell: (row) => {
        const times = speedupOverStudy(rows, row);
        return times === null ? NO_VALUE : `${formatSignificant(times, 3, now)} ×`;
      },
    },
    { head: tResults('table.pairs'), cell: (row) => formatMean(row.pairsPerFrame, now) },
    { head: t2d('table.missed'), cell: (row) => missedText(row, now) },
    { head: t2d('live.bytes'), cell: (row) => formatBytes(row.bytes, now) },
  ];
}
