/** Results so far: overview, tables of the report, or all rows. */
import { Button } from '../../../shared/ui/button.tsx';
import { Segments } from '../../../shared/ui/fields.tsx';
import { language, t } from '../../../shared/i18n/translate.ts';
import { handleKey } from '../../../shared/keys.ts';
import { formatDuration, formatPercent } from '../../../shared/i18n/number-format.ts';
import { showToast } from '../../../shell/status.tsx';
import { type Show, SHOWS } from '../state/choice.ts';
import { describe } from '../state/describe.ts';
import { isMeasured, leftMs, measuredCount, type Progress, type Run, workDone, workOf } from '../state/run.ts';
import type { Session } from '../state/session.ts';
import { Overview } from './results-view/overview.tsx';
import { RowsTable, Tables } from './results-view/tables.tsx';
import { tStudies } from '../i18n/translate.ts';

export function Results({ session }: { session: Session }) {
  const { study, show } = session.choice.value;
  return (
    <section class="panel panel-results" aria-labelledby="results-title" tabIndex={0} onKeyDown={onOwnKey}>
      <div class="panel-head">
        <h2 id="results-title">{session.results.value?.report.title ?? tStudies(`study.${study}`)}</h2>
        <div class="end results-tools">
          <Button class="compact" cap="D" onClick={() => showToast(() => describe(session))}>
            {t('stage.describe')}
          </Button>
          <Segments<Show>
            name="show"
            label={tStudies('results.show')}
            compact
            value={show}
            choices={SHOWS.map((value) => ({ value, label: tStudies(`results.show.${value}`) }))}
            onChange={(chosen) => session.change({ show: chosen })}
          />
        </div>
      </div>
      <ProgressLine session={session} />
      <Outcome session={session} />
    </section>
  );
}

/** Only while the panel itself has the focus, not one of its inputs. */
function onOwnKey(event: KeyboardEvent): void {
  if (event.target === event.currentTarget) handleKey(event);
}

function ProgressLine({ session }: { session: Session }) {
  const [run, progress] = [session.running.value, session.progress.value];
  if (run === null || progress === null) return null;
  const [done, of] = [workDone(run, progress.advanced), workOf(run)];
  const left = leftMs(run, progress, performance.now());
  return (
    <div class="study-progress">
      <progress value={done} max={of} aria-label={tStudies('run.progress')} aria-describedby="study-left" />
      <span class="share">{formatPercent(of === 0 ? 0 : done / of, language.value)}</span>
      <p class="small" id="study-left">
        {tStudies('run.done', { done: measuredCount(run), all: run.plan.cases.length })}
        {left !== null && `, ${tStudies('run.left', { time: formatDuration(left, language.value) })}`}
      </p>
      <p class="muted small now">{nowText(run, progress)}</p>
    </div>
  );
}

function nowText(run: Run, { advanced }: Progress): string {
  const cases = [...advanced.keys()].sort((one, other) => one - other).map((number) => run.plan.cases[number]?.key ?? '');
  return cases.length === 0 ? tStudies('run.starting') : tStudies('run.now', { cases: cases.join(' · ') });
}

function Outcome({ session }: { session: Session }) {
  const [run, results] = [session.run.value, session.results.value];
  if (run === null || (!isMeasured(run) && run.state !== 'running')) {
    return (
      <div class="nothing">
        <p>{tStudies('results.empty')}</p>
        <p class="muted small">{tStudies('results.empty.hint')}</p>
      </div>
    );
  }
  const { show } = session.choice.value;
  return (
    <>
      <State session={session} run={run} />
      {results !== null && results.disagreements > 0 && (
        <p class="alarm" role="alert">
          {tStudies('run.disagreements', { count: results.disagreements })}
        </p>
      )}
      {results === null ? (
        <p class="muted small">{t('page.loading')}</p>
      ) : show === 'overview' ? (
        <Overview results={results} />
      ) : show === 'tables' ? (
        <Tables results={results} />
      ) : (
        <RowsTable results={results} />
      )}
    </>
  );
}

function State({ session, run }: { session: Session; run: Run }) {
  if (run.state === 'running') return null;
  const isStopped = run.state === 'stopped';
  const isOther = !session.isCurrent.value;
  return isStopped || isOther ? (
    <p class="small state-note">
      {isStopped && tStudies('run.stopped', { done: measuredCount(run), all: run.plan.cases.length })}
      {isStopped && isOther && ' '}
      {isOther && tStudies('run.other')}
    </p>
  ) : null;
}
