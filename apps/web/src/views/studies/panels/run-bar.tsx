/** Run bar: start, stop and resume a study; its progress, or why it cannot run. */
import { useEffect } from 'preact/hooks';

import { Button } from '../../../shared/ui/button.tsx';
import { language, t } from '../../../shared/i18n/translate.ts';
import { formatDuration, formatPercent } from '../../../shared/i18n/number-format.ts';
import type { Case } from '../workers/protocol.ts';
import { announce } from '../../../shell/status.tsx';
import { measuredCount, type Progress, type Run, shareDone } from '../state/run.ts';
import type { Session } from '../state/session.ts';
import { tStudies } from '../i18n/translate.ts';
import { blockedText } from './field-problem.tsx';

export function RunBar({ session }: { session: Session }) {
  const isRunning = session.runs.isRunning.value;
  const canResume = session.canResume.value;
  const plan = session.listed.value;
  const reason = isRunning ? null : blockedText(session);
  // Beside the button it is read only by those who move there.
  useEffect(() => {
    if (reason !== null) announce(() => reason);
  }, [reason]);
  return (
    <div class="run-bar">
      <div class="run-buttons">
        <Button
          class={isRunning ? 'run' : 'run primary'}
          cap="E"
          disabled={!isRunning && plan === null}
          describedBy={reason === null ? undefined : 'run-blocked'}
          onClick={() => session.toggle()}
        >
          {isRunning ? t('experiment.cancel') : canResume ? tStudies('run.resume') : t('experiment.run')}
        </Button>
        {canResume && !isRunning && <Button onClick={() => session.start()}>{tStudies('run.restart')}</Button>}
        {plan !== null && !isRunning && <span class="muted small">{t('experiment.cases', { count: plan.cases.length })}</span>}
        {reason !== null && (
          <p class="field-problem" id="run-blocked">
            {reason}
          </p>
        )}
      </div>
      <ProgressLine session={session} />
    </div>
  );
}


function ProgressLine({ session }: { session: Session }) {
  const [run, progress] = [session.runs.running.value, session.runs.progress.value];
  if (run === null || progress === null) return null;
  const share = shareDone(run, progress.advanced);
  const left = progress.end === null ? null : Math.max(0, progress.end.at - performance.now());
  return (
    <div class="study-progress">
      <progress value={share} max={1} aria-label={tStudies('run.progress')} aria-describedby="study-left" />
      <span class="share">{formatPercent(share, language.value)}</span>
      <p class="small" id="study-left">
        {tStudies('run.done', { done: measuredCount(run), all: run.plan.cases.length })}
        {left !== null && `, ${tStudies('run.left', { time: formatDuration(left, language.value) })}`}
      </p>
      <p class="muted small now">{nowText(run, progress)}</p>
    </div>
  );
}

function nowText(run: Run, { advanced }: Progress): string {
  const cases = [...advanced.keys()].sort((one, other) => one - other).map((number) => caseText(run.plan.cases[number]));
  return cases.length === 0 ? tStudies('run.starting') : tStudies('run.now', { cases: cases.join(' · ') });
}

/** The label of a case; its key if the run was listed by an earlier engine. */
function caseText(info: Case | undefined): string {
  return info?.label?.[language.value] ?? info?.key ?? '';
}
