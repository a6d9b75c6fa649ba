/** How does the reader take results away? As a table, a picture or a link. */
import { Button } from '../../../shared/button.tsx';
import { CopyLink } from '../../../shared/copy-link.tsx';
import { savePicture, saveText } from '../../../shared/downloads.ts';
import { words } from '../../../shared/i18n.ts';
import { tell } from '../../../shell/status.tsx';
import type { Session } from '../session.ts';
import { drawResults } from './picture.ts';
import { resultsCsv } from './rows.ts';

export function TakeAway({ session }: { session: Session }) {
  const { experiments } = session;
  const results = experiments.results.value;
  const choice = experiments.choice.value;
  const catalogue = session.catalogue.value;
  const hasRows = results !== null && results.rows.length > 0;

  const saveCsv = (): void => {
    if (results !== null && catalogue !== null) {
      const file = `embate-${choice}.csv`;
      saveText(resultsCsv(choice, results.rows, catalogue), file, 'text/csv');
      tell(() => words('said.saved', { file }));
    }
  };
  const savePng = async (): Promise<void> => {
    if (results !== null) {
      const file = `embate-${choice}.png`;
      await savePicture(await drawResults(session, results), file);
      tell(() => words('said.saved', { file }));
    }
  };
  return (
    <div class="take-away" role="group" aria-label={words('lab.save')}>
      <Button disabled={!hasRows} onClick={saveCsv}>
        {words('lab.csv')}
      </Button>
      <Button disabled={!hasRows} onClick={() => void savePng()}>
        {words('lab.png')}
      </Button>
      <CopyLink link={() => session.link()} disabled={session.running.value === null} />
    </div>
  );
}
