/** Export of results: report, table, link, and the equivalent command. */
import { useSignal } from '@preact/signals';

import { Button } from '../../../shared/ui/button.tsx';
import { CopyLink } from '../../../shared/ui/copy-link.tsx';
import { copy, saveText } from '../../../shared/downloads.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { showToast } from '../../../shell/status.tsx';
import { isMeasured } from '../state/run.ts';
import { References } from './references.tsx';
import type { Session } from '../state/session.ts';
import { tStudies } from '../i18n/translate.ts';

export function ExportButtons({ session }: { session: Session }) {
  const [run, results] = [session.run.value, session.results.value];
  const isWriting = useSignal(false);
  const hasRows = run !== null && isMeasured(run) && results !== null;
  const { study } = session.choice.value;
  const saveReport = async (): Promise<void> => {
    isWriting.value = true;
    const html = await session.html();
    isWriting.value = false;
    if (html === null) return;
    const file = `embate-${study}.html`;
    saveText(html, file, 'text/html');
    showToast(() => t('announce.saved', { file }));
  };
  const saveCsv = (): void => {
    if (results === null) return;
    const file = `embate-${study}.csv`;
    saveText(results.csv, file, 'text/csv');
    showToast(() => t('announce.saved', { file }));
  };
  return (
    <section class="panel panel-export" aria-labelledby="export-title">
      <div class="panel-head">
        <h2 id="export-title">{t('experiment.save')}</h2>
      </div>
      <div class="take-away">
        <Button disabled={!hasRows} idle={isWriting.value} onClick={() => void saveReport()}>
          {tStudies('export.report')}
        </Button>
        <Button disabled={!hasRows} onClick={saveCsv}>
          {t('experiment.csv')}
        </Button>
        <CopyLink link={() => session.link()} disabled={session.catalog.value === null} />
      </div>
      {isWriting.value && <p class="muted small">{tStudies('export.writing')}</p>}
      <p class="muted small">{tStudies('export.about')}</p>
      <Command session={session} />
      <References />
    </section>
  );
}

/** Of the current choice; absent while the form is invalid. */
function Command({ session }: { session: Session }) {
  const [request, known] = [session.request.value, session.plan.value];
  // While changed cases are listed, the command of the same study stays.
  if (request === null || known === null || session.refusal.value !== null || known.request.study !== request.study) return null;
  const command = known.plan.command.join(' ');
  const copyIt = async (): Promise<void> => {
    if (await copy(command)) showToast(() => tStudies('export.copied'));
  };
  return (
    <div class="command">
      <h3>{tStudies('export.command')}</h3>
      <div class="command-line">
        <code>{command}</code>
        <Button class="compact" onClick={() => void copyIt()}>
          {tStudies('export.copy')}
        </Button>
      </div>
      <p class="muted small">{tStudies('export.same')}</p>
    </div>
  );
}
