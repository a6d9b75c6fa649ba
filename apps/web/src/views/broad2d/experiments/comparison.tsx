/** Which technique is the best here, by how much, and what would the advisor have said? */
import { language, spoken, words } from '../../../shared/i18n.ts';
import { TableScroll } from '../../../shared/table-scroll.tsx';
import { bytes, fixed, mean, NO_VALUE, significant } from '../../../shared/numbers.ts';
import type { Advice, Measured, Parameters } from '../protocol.ts';
import type { Session } from '../session.ts';
import type { Results } from './experiments.ts';
import { cellOf, isTimed, missedText, speedupOverStudy, timeText } from './rows.ts';

interface Props {
  session: Session;
  results: Results;
}

export function Comparison({ session, results }: Props) {
  const { rows, advice } = results;
  // Advice beside times that say nothing would look as if it came from them.
  const areTimed = rows.every(isTimed);
  const isStale = !isSameWorld(results.scene, session.running.value);
  const most = (value: (row: Measured) => number): number => Math.max(...rows.map(value));
  const [mostMs, mostTests, mostBytes] = [
    most((row) => row.msPerFrame),
    most((row) => row.testsPerFrame),
    most((row) => row.bytes),
  ];
  const now = language.value;
  return (
    <>
      {advice !== null && areTimed && <AdviceLine session={session} advice={advice} rows={rows} />}
      <ClockNote rows={rows} />
      {isStale && results.state !== 'running' && <p class="small stale">{words('lab.stale')}</p>}
      <TableScroll label={words('table.results')}>
        <table class="table comparison">
          <thead>
            <tr>
              <th scope="col">{words('table.technique')}</th>
              <th scope="col" class="words">
                {words('table.ms')}
              </th>
              <th scope="col">
                <abbr title={words('table.speedup')}>{words('table.speedup.short')}</abbr>
              </th>
              <th scope="col" class="words">
                {words('table.tests')}
              </th>
              <th scope="col">{words('table.missed')}</th>
              <th scope="col" class="words">
                {words('table.memory')}
              </th>
              <th scope="col">{words('table.fps')}</th>
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
                    {isAdvised && <span class="advised"> {words('lab.advised')}</span>}
                  </th>
                  <Bar value={row.msPerFrame} most={mostMs} text={timeText(row, now)} />
                  <td>{times === null ? NO_VALUE : `${significant(times, 3, now)} ×`}</td>
                  <Bar value={row.testsPerFrame} most={mostTests} text={mean(row.testsPerFrame, now)} />
                  <td class={(row.missedPairs ?? 0) > 0 ? 'alarm' : ''}>{missedText(row, now)}</td>
                  <Bar value={row.bytes} most={mostBytes} text={bytes(row.bytes, now)} />
                  <td>{fixed(row.fps, 0, now)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </TableScroll>
    </>
  );
}

/** A comparison does not depend on the technique that happens to be watched, nor on cells that it does not use. */
function isSameWorld(measured: Parameters | null, now: Parameters | null): boolean {
  const world = (scene: Parameters | null): string => JSON.stringify({ ...scene, technique: '' });
  return world(measured) === world(now);
}

/** The cells that it was measured with, as far as somebody chose them. */
function CellNote({ session, row }: { session: Session; row: Measured }) {
  const catalogue = session.catalogue.value;
  const cell = catalogue === null ? null : cellOf(catalogue, row);
  return cell === null ? null : <span class="cell-note"> {words('lab.cell', { cell })}</span>;
}

/** Which times are too short to be told, and what to do about it. */
export function ClockNote({ rows }: { rows: readonly Measured[] }) {
  const short = rows.find((row) => !isTimed(row));
  return short === undefined ? null : (
    <p class="small clock-note">
      {words('lab.clock', { step: significant(short.clockMs, 2, language.value) })}
    </p>
  );
}

/** The engine's reasons are clauses. */
function sentence(clause: string): string {
  return `${clause.charAt(0).toLocaleUpperCase(language.value)}${clause.slice(1)}${/[.!?]$/.test(clause) ? '' : '.'}`;
}

/** A figure and its length beside the longest. */
function Bar({ value, most, text }: { value: number; most: number; text: string }) {
  const share = most > 0 ? (100 * value) / most : 0;
  return (
    <td class="bar-cell">
      <span class="bar" aria-hidden="true">
        {share > 0 && <span style={{ width: `max(1px, ${share}%)` }} />}
      </span>
      <span class="bar-text">{text}</span>
    </td>
  );
}

function AdviceLine({ session, advice, rows }: { session: Session; advice: Advice; rows: readonly Measured[] }) {
  const cell = advice.cell === null ? '' : ` ${words('lab.advice.cell', { cell: significant(advice.cell, 3, language.value) })}`;
  return (
    <div class="advice">
      <p class="advice-head">
        <span class="muted">{words('lab.advice')}</span>
        <svg class="icon" viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
          <path d="m3 8.5 3.2 3.2L13 5" stroke-width="2" />
        </svg>
        <strong>{words('lab.advice.use', { technique: session.experiments.label(advice.technique) })}</strong>
      </p>
      <p class="muted small">
        {sentence(spoken(advice.reason))}
        {cell}
      </p>
      <FasterHere session={session} advice={advice} rows={rows} />
    </div>
  );
}

/** A lead that is smaller may be chance. */
const CLEARLY = 1.1;

/** The advisor knows the scene, not this machine: who was clearly ahead of its choice here is told too. */
function FasterHere({ session, advice, rows }: { session: Session; advice: Advice; rows: readonly Measured[] }) {
  const advised = rows.find(({ parameters }) => parameters.technique === advice.technique);
  const complete = rows.filter(({ missedPairs }) => (missedPairs ?? 0) === 0);
  const first = complete.toSorted((one, other) => one.msPerFrame - other.msPerFrame)[0];
  if (advised === undefined || first === undefined || advised.msPerFrame <= CLEARLY * first.msPerFrame) {
    return null;
  }
  const technique = session.experiments.label(first.parameters.technique);
  const times = significant(advised.msPerFrame / first.msPerFrame, 2, language.value);
  return <p class="muted small">{words('lab.advice.faster', { technique, times })}</p>;
}
