/** A button that copies the link to what is shown; where the browser keeps its clipboard to itself, it is shown for copying by hand. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { tell } from '../shell/status.tsx';
import { Button } from './button.tsx';
import { copy } from './downloads.ts';
import { words } from './i18n.ts';

export function CopyLink({ link, disabled }: { link: () => string; disabled: boolean }) {
  const byHand = useSignal<string | null>(null);
  const copyLink = async (): Promise<void> => {
    const text = link();
    if (await copy(text)) {
      byHand.value = null;
      tell(() => words('said.link'));
    } else {
      byHand.value = text;
    }
  };
  return (
    <>
      <Button disabled={disabled} onClick={() => void copyLink()}>
        {words('lab.link')}
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
  return <input ref={field} class="link-field" readOnly value={link} aria-label={words('lab.link-field')} />;
}
