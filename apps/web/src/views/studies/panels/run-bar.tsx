/** Buttons to start, stop and resume a study. */
import { Button } from '../../../shared/ui/button.tsx';
import { t } from '../../../shared/i18n/translate.ts';
import { isSameRequest } from '../state/run.ts';
import type { Session } from '../state/session.ts';
import { tStudies } from '../i18n/translate.ts';

export function RunButtons({ session }: { session: Session }) {
  const isRunning = session.isRunning.value;
  const goesOn = session.canGoOn.value;
  const [request, known] = [session.request.value, session.plan.value];
  const isListed = request !== null && known !== null && isSameRequest(known.request, request) && session.refusal.value === null;
  const count = isListed ? known.plan.cases.length : null;
  return (
    <div class="run-buttons">
      <Button
        class={isRunning ? 'run' : 'run primary'}
        cap="E"
        disabled={!isRunning && !isListed}
        onClick={() => session.toggle()}
      >
        {isRunning ? t('experiment.cancel') : goesOn ? tStudies('run.go-on') : t('experiment.run')}
      </Button>
      {goesOn && !isRunning && <Button onClick={() => session.start()}>{tStudies('run.anew')}</Button>}
      {count !== null && !isRunning && <span class="muted small">{t('experiment.cases', { count })}</span>}
    </div>
  );
}
