/** What came out, as far as it is measured? An overview, the tables of the report, or every row. */
import { Button } from '../../shared/button.tsx';
import { Segments } from '../../shared/fields.tsx';
import { language, words } from '../../shared/i18n.ts';
import { handleKey } from '../../shared/keys.ts';
import { duration, percent } from '../../shared/numbers.ts';
import { tell } from '../../shell/status.tsx';
import { type Show, SHOWS } from './choice.ts';
import { describe } from './describe.ts';
import { isMeasured, leftMs, measuredCount, type Progress, type Run, workDone, workOf } from './run.ts';
import type { Session } from './session.ts';
import { Overview } from './told/overview.tsx';
import { RowsTable, Tables } from './told/tables.tsx';
import { wordsOfStudies as say } from './words.ts';

export function Results({ session }: { session: Session }) {
  const { study, show } = session.choice.value;
  return (
    <section class="panel panel-results" aria-labelledby="results-title" tabIndex={0} onKeyDown={onOwnKey}>
      <div class="panel-head">
        <h2 id="results-title">{session.told.value?.report.title ?? say(`study.${study}`)}</h2>
        <div class="end results-tools">
          <Button class="compact" cap="D" onClick={() => tell(() => describe(session))}>
            {words('stage.describe')}
          </Button>
          <Segments<Show>
            name="show"
            label={say('results.show')}
            compact
            value={show}
            choices={SHOWS.map((value) => ({ value, label: say(`results.show.${value}`) }))}
            onChange={(chosen) => session.change({ show: chosen })}
          />
        </div>
      </div>
      <ProgressLine session={session} />
      <Outcome session={session} />
    </section>
  );
}

/** Only while the panel itself has the focus: in a field a letter is a letter. */
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
      <progress value={done} max={of} aria-label={say('run.progress')} aria-describedby="study-left" />
      <span class="share">{percent(of === 0 ? 0 : done / of, language.value)}</span>
      <p class="small" id="study-left">
        {say('run.done', { done: measuredCount(run), all: run.plan.cases.length })}
        {left !== null && `, ${say('run.left', { time: duration(left, language.value) })}`}
      </p>
      <p class="muted small now">{nowText(run, progress)}</p>
    </div>
  );
}

function nowText(run: Run, { advanced }: Progress): string {
  const cases = [...advanced.keys()].sort((one, other) => one - other).map((number) => run.plan.cases[number]?.key ?? '');
  return cases.length === 0 ? say('run.starting') : say('run.now', { cases: cases.join(' · ') });
}

function Outcome({ session }: { session: Session }) {
  const [run, told] = [session.run.value, session.told.value];
  if (run === null || (!isMeasured(run) && run.state !== 'running')) {
    return (
      <div class="nothing">
        <p>{say('results.empty')}</p>
        <p class="muted small">{say('results.empty.hint')}</p>
      </div>
    );
  }
  const { show } = session.choice.value;
  return (
    <>
      <State session={session} run={run} />
      {told !== null && told.disagreements > 0 && (
        <p class="alarm" role="alert">
          {say('run.disagreements', { count: told.disagreements })}
        </p>
      )}
      {told === null ? (
        <p class="muted small">{words('page.loading')}</p>
      ) : show === 'overview' ? (
        <Overview told={told} />
      ) : show === 'tables' ? (
        <Tables told={told} />
      ) : (
        <RowsTable told={told} />
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
      {isStopped && say('run.stopped', { done: measuredCount(run), all: run.plan.cases.length })}
      {isStopped && isOther && ' '}
      {isOther && say('run.other')}
    </p>
  ) : null;
}
