/** Export of results: table, picture, link. */
import { Button } from '../../../shared/ui/button.tsx';
import { CopyLink } from '../../../shared/ui/copy-link.tsx';
import { savePicture, saveText } from '../../../shared/downloads.ts';
import { t2d } from '../i18n/translate.ts';
import { showToast } from '../../../shell/status.tsx';
import type { Session } from '../state/session.ts';
import { resultsCsv } from '../state/experiments/result-rows.ts';

export function ExportButtons({ session }: { session: Session }) {
  const { experiments } = session;
  const results = experiments.results.value;
  const choice = experiments.choice.value;
  const catalog = session.catalog.value;
  const hasRows = results !== null && results.rows.length > 0;

  const saveCsv = (): void => {
    if (results !== null && catalog !== null) {
      const file = `embate-${choice}.csv`;
      saveText(resultsCsv(choice, results.rows, catalog), file, 'text/csv');
      showToast(() => t2d('announce.saved', { file }));
    }
  };
  const savePng = async (): Promise<void> => {
    if (results !== null) {
      const file = `embate-${choice}.png`;
      const { drawResults } = await import('../state/experiments/results-image.ts');
      await savePicture(await drawResults(session, results), file);
      showToast(() => t2d('announce.saved', { file }));
    }
  };
  return (
    <div class="take-away" role="group" aria-label={t2d('experiment.save')}>
      <Button disabled={!hasRows} onClick={saveCsv}>
        {t2d('experiment.csv')}
      </Button>
      <Button disabled={!hasRows} onClick={() => void savePng()}>
        {t2d('experiment.png')}
      </Button>
      <CopyLink link={() => session.link()} disabled={session.running.value === null} />
    </div>
  );
}
