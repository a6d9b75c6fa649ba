/** Results so far: overview, tables of the report, or all rows. */
import { Button } from '../../../shared/ui/button.tsx';
import { Segments } from '../../../shared/ui/fields.tsx';
import { t } from '../../../shared/i18n/translate.ts';
import { handleKey } from '../../../shared/keys.ts';
import { showToast } from '../../../shell/status.tsx';
import { type Show, SHOWS } from '../state/choice.ts';
import { describe } from '../state/describe.ts';
import { isMeasured, measuredCount, type Run } from '../state/run.ts';
import type { Session } from '../state/session.ts';
import { RunBar } from './run-bar.tsx';
import { Overview } from './results-view/overview.tsx';
import { RowsTable, Tables } from './results-view/tables.tsx';
import { tStudies } from '../i18n/translate.ts';

export function Results({ session }: { session: Session }) {
  const { study, show } = session.choice.value;
  return (
    <section class="panel panel-results" aria-labelledby="results-title" tabIndex={0} onKeyDown={onOwnKey}>
      <div class="panel-head">
        <h2 id="results-title">{tStudies(`study.${study}`)}</h2>
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
      <RunBar session={session} />
      <Outcome session={session} />
    </section>
  );
}

/** Only while the panel itself has the focus, not one of its inputs. */
function onOwnKey(event: KeyboardEvent): void {
  if (event.target === event.currentTarget) handleKey(event);
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
  const { show, study } = session.choice.value;
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
        <Overview results={results} study={study} />
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
  const isUnsaved = session.runs.storage.hasFailed.value;
  return isStopped || isOther || isUnsaved ? (
    <div class="small state-note">
      <p>
        {isStopped && `${tStudies('run.stopped', { done: measuredCount(run), all: run.plan.cases.length })} `}
        {isOther && `${tStudies('run.other')} `}
        {isUnsaved ? tStudies('run.unsaved') : isStopped && tStudies('run.stored')}
      </p>
      {session.settingsOfRun.value !== null && (
        <Button class="compact" disabled={session.runs.isRunning.value} onClick={() => session.chooseSettingsOfRun()}>
          {tStudies('run.settings')}
        </Button>
      )}
    </div>
  ) : null;
}
