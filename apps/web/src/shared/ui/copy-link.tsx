/**
 * Button that copies the link to the current state; if the clipboard is not accessible, the link is
 * shown for copying by hand.
 */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { showToast } from '../../shell/status.tsx';
import { Button } from './button.tsx';
import { copy } from '../downloads.ts';
import { t } from '../i18n/translate.ts';

export function CopyLink({ link, disabled }: { link: () => string; disabled: boolean }) {
  const byHand = useSignal<string | null>(null);
  const copyLink = async (): Promise<void> => {
    const text = link();
    if (await copy(text)) {
      byHand.value = null;
      showToast(() => t('announce.link'));
    } else {
      byHand.value = text;
    }
  };
  return (
    <>
      <Button disabled={disabled} onClick={() => void copyLink()}>
        {t('experiment.link')}
      </Button>
      {byHand.value !== null && <LinkField link={byHand.value} />}
    </>
  );
}

function LinkField({ link }: { link: string }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, [link]);
  return <input ref={field} class="link-field" readOnly value={link} aria-label={t('experiment.link-field')} />;
}
