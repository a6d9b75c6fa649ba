/** How does the reader take results home? As a report, a table, a link, or a command that makes the same. */
import { useSignal } from '@preact/signals';

import { Button } from '../../shared/button.tsx';
import { CopyLink } from '../../shared/copy-link.tsx';
import { copy, saveText } from '../../shared/downloads.ts';
import { words } from '../../shared/i18n.ts';
import { tell } from '../../shell/status.tsx';
import { isMeasured } from './run.ts';
import type { Session } from './session.ts';
import { wordsOfStudies as say } from './words.ts';

export function TakeAway({ session }: { session: Session }) {
  const [run, told] = [session.run.value, session.told.value];
  const isWriting = useSignal(false);
  const hasRows = run !== null && isMeasured(run) && told !== null;
  const { study } = session.choice.value;
  const saveReport = async (): Promise<void> => {
    isWriting.value = true;
    const html = await session.html();
    isWriting.value = false;
    if (html === null) return;
    const file = `embate-${study}.html`;
    saveText(html, file, 'text/html');
    tell(() => words('said.saved', { file }));
  };
  const saveCsv = (): void => {
    if (told === null) return;
    const file = `embate-${study}.csv`;
    saveText(told.csv, file, 'text/csv');
    tell(() => words('said.saved', { file }));
  };
  return (
    <section class="panel panel-take" aria-labelledby="take-title">
      <div class="panel-head">
        <h2 id="take-title">{say('take.title')}</h2>
      </div>
      <div class="take-away" role="group" aria-label={words('lab.save')}>
        <Button disabled={!hasRows} idle={isWriting.value} onClick={() => void saveReport()}>
          {say('take.report')}
        </Button>
        <Button disabled={!hasRows} onClick={saveCsv}>
          {words('lab.csv')}
        </Button>
        <CopyLink link={() => session.link()} disabled={session.catalogue.value === null} />
      </div>
      {isWriting.value && <p class="muted small">{say('take.writing')}</p>}
      <p class="muted small">{say('take.about')}</p>
      <Command session={session} />
    </section>
  );
}

/** Of the run that is shown, or of the one that is chosen. */
function Command({ session }: { session: Session }) {
  const plan = session.plan.value?.plan;
  if (plan === undefined) return null;
  const command = plan.command.join(' ');
  const copyIt = async (): Promise<void> => {
    if (await copy(command)) tell(() => say('take.copied'));
  };
  return (
    <div class="command">
      <h3>{say('take.command')}</h3>
      <div class="command-line">
        <code>{command}</code>
        <Button class="compact" onClick={() => void copyIt()}>
          {say('take.copy')}
        </Button>
      </div>
      <p class="muted small">{say('take.same')}</p>
    </div>
  );
}
