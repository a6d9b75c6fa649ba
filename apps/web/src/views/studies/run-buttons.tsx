/** How is a study begun, stopped, taken up again? */
import { Button } from '../../shared/button.tsx';
import { words } from '../../shared/i18n.ts';
import { isSameRequest } from './run.ts';
import type { Session } from './session.ts';
import { wordsOfStudies as say } from './words.ts';

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
        {isRunning ? words('lab.cancel') : goesOn ? say('run.go-on') : words('lab.run')}
      </Button>
      {goesOn && !isRunning && <Button onClick={() => session.start()}>{say('run.anew')}</Button>}
      {count !== null && !isRunning && <span class="muted small">{words('lab.cases', { count })}</span>}
    </div>
  );
}
