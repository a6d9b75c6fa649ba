/** How does the reader take results away? As a table, a picture or a link. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { Button } from '../../../shared/button.tsx';
import { copy, savePicture, saveText } from '../../../shared/downloads.ts';
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
  /** For browsers that keep their clipboard to themselves. */
  const byHand = useSignal<string | null>(null);

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
  const copyLink = async (): Promise<void> => {
    const link = session.link();
    if (await copy(link)) {
      byHand.value = null;
      tell(() => words('said.link'));
    } else {
      byHand.value = link;
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
      <Button disabled={session.running.value === null} onClick={() => void copyLink()}>
        {words('lab.link')}
      </Button>
      {byHand.value !== null && <LinkField link={byHand.value} />}
    </div>
  );
}

function LinkField({ link }: { link: string }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, [link]);
  return <input ref={field} class="link-field" readOnly value={link} aria-label={words('lab.link-field')} />;
}
