/** Comparison of the techniques on one scene: the fastest, the ratios, and the advisor's choice. */
import { language } from '../../../shared/i18n/translate.ts';
import { t2d } from '../i18n/translate.ts';
import { TableScroll } from '../../../shared/ui/table-scroll.tsx';
import { formatBytes, formatFixed, formatMean, NO_VALUE, formatSignificant } from '../../../shared/i18n/number-format.ts';
import type { Advice, Measured, Parameters } from '../workers/protocol.ts';
import type { Session } from '../state/session.ts';
import type { Results } from '../state/experiments/experiments.ts';
import { cellOf, hasAdaptiveCells, isTimed, missedText, speedupOverStudy, spreadText, timeText } from '../state/experiments/result-rows.ts';
import { adviceText } from '../state/experiments/advice-text.ts';
import { noisiest } from '../state/experiments/noise.ts';

interface Props {
  session: Session;
  results: Results;
}

export function Comparison({ session, results }: Props) {
  const { rows, advice } = results;
  // Advice beside unmeasurable times would seem to follow from them.
  const areTimed = rows.every(isTimed);
  const isStale = !isSameWorld(results.scene, session.running.value);
  const max = (value: (row: Measured) => number): number => Math.max(...rows.map(value));
  const [maxMs, maxTests, maxBytes, maxFps] = [
    max((row) => row.msPerFrame),
    max((row) => row.testsPerFrame),
    max((row) => row.bytes),
    max((row) => row.fps),
  ];
  const now = language.value;
  return (
    <>
      {advice !== null && areTimed && <AdviceLine session={session} advice={advice} results={results} />}
      <ClockNote rows={rows} />
      <NoiseNote session={session} rows={rows} />
      {isStale && results.state !== 'running' && <p class="small stale">{t2d('experiment.stale')}</p>}
      <TableScroll label={t2d('table.results')}>
        <table class="table comparison">
          <thead>
            <tr>
              <th scope="col">{t2d('form.technique')}</th>
              <th scope="col" class="words">
                {t2d('table.ms')}
              </th>
              <th scope="col">
                <abbr title={t2d('table.speedup')}>{t2d('table.speedup.short')}</abbr>
              </th>
              <th scope="col" class="words">
                {t2d('table.tests')}
              </th>
              <th scope="col">{t2d('table.missed')}</th>
              <th scope="col" class="words">
                {t2d('live.bytes')}
              </th>
              <th scope="col" class="words fps">{t2d('table.fps')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => {
              const { technique } = row.parameters;
              const isAdvised = areTimed && technique === advice?.technique;
              const times = speedupOverStudy(rows, row);
              return (
                <tr key={technique} class={isAdvised ? 'marked' : ''}>
                  <th scope="row">
                    {session.experiments.label(technique)}
                    <CellNote session={session} row={row} />
                    {isAdvised && <span class="advised"> {t2d('experiment.advised')}</span>}
                  </th>
                  <Bar value={row.msPerFrame} max={maxMs} text={timeText(row, now)} />
                  <td>{times === null ? NO_VALUE : `${formatSignificant(times, 3, now)} ×`}</td>
                  <Bar value={row.testsPerFrame} max={maxTests} text={formatMean(row.testsPerFrame, now)} />
                  <td class={(row.missedPairs ?? 0) > 0 ? 'alarm' : ''}>{missedText(row, now)}</td>
                  <Bar value={row.bytes} max={maxBytes} text={formatBytes(row.bytes, now)} />
                  <Bar value={row.fps} max={maxFps} text={formatFixed(row.fps, 0, now)} />
                </tr>
              );
            })}
          </tbody>
        </table>
      </TableScroll>
    </>
  );
}

/** Ignores the technique shown on the stage, and the cell size of techniques without cells. */
function isSameWorld(measured: Parameters | null, now: Parameters | null): boolean {
  const world = (scene: Parameters | null): string => JSON.stringify({ ...scene, technique: '' });
  return world(measured) === world(now);
}

/** The cell size of a row, or that the technique adapts its cells to the objects. */
function CellNote({ session, row }: { session: Session; row: Measured }) {
  const catalog = session.catalog.value;
  if (catalog === null) {
    return null;
  }
  const cell = cellOf(catalog, row);
  const isAdaptive = hasAdaptiveCells(catalog, row);
  return cell === null && !isAdaptive ? null : (
    <span class="cell-note"> {cell === null ? t2d('experiment.cell-adaptive') : t2d('experiment.cell', { cell })}</span>
  );
}

/** Explains which times are too short to measure, and how to measure longer ones. */
export function ClockNote({ rows }: { rows: readonly Measured[] }) {
  const short = rows.find((row) => !isTimed(row));
  return short === undefined ? null : (
    <p class="small clock-note">
      {t2d('experiment.clock', { step: formatSignificant(short.clockMs, 2, language.value) })}
    </p>
  );
}

/** Warns of times that vary too much to be compared. */
export function NoiseNote({ session, rows }: { session: Session; rows: readonly Measured[] }) {
  const row = noisiest(rows);
  return row === null ? null : (
    <p class="small clock-note" data-noise={row.spread}>
      {t2d('experiment.noise', {
        spread: spreadText(row.spread ?? 0, language.value),
        technique: session.experiments.label(row.parameters.technique),
      })}
    </p>
  );
}

/** A value with a bar relative to the maximum. */
function Bar({ value, max, text }: { value: number; max: number; text: string }) {
  const share = max > 0 ? (100 * value) / max : 0;
  return (
    <td class="bar-cell">
      <span class="bar" aria-hidden="true">
        {share > 0 && <span style={{ width: `max(1px, ${share}%)` }} />}
      </span>
      <span class="bar-text">{text}</span>
    </td>
  );
}

function AdviceLine({ session, advice, results }: { session: Session; advice: Advice; results: Results }) {
  const cell = advice.cell === null ? null : t2d('experiment.advice.cell', { cell: formatSignificant(advice.cell, 2, language.value) });
  return (
    <div class="advice">
      <p class="advice-head">
        <span class="muted">{t2d('experiment.advice')}</span>
        <svg class="icon" viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
          <path d="m3 8.5 3.2 3.2L13 5" stroke-width="2" />
        </svg>
        <strong>{t2d('experiment.advice.use', { technique: session.experiments.label(advice.technique) })}</strong>
      </p>
      <p class="muted small">
        {adviceText(advice, results, (technique) => session.experiments.label(technique))} {cell}
      </p>
    </div>
  );
}
