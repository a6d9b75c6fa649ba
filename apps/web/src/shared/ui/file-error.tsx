/** Why a file was not opened or saved. */
import type { ComponentChildren } from 'preact';

import { Button } from './button.tsx';
import { t } from '../i18n/translate.ts';
import { MixedLanguageText, type MixedText } from './mixed-language-text.tsx';

interface FileErrorProps {
  title: string;
  message: MixedText;
  onClose: () => void;
  /** The offending lines of the file, if any. */
  children?: ComponentChildren;
}

export function FileError({ title, message, onClose, children }: FileErrorProps) {
  return (
    <div class="file-problem" role="group" aria-labelledby="file-problem-title">
      <div class="file-problem-head">
        <strong id="file-problem-title">{title}</strong>
        <Button class="compact" onClick={onClose}>
          {t('help.close')}
        </Button>
      </div>
      <p>
        <MixedLanguageText {...message} />
      </p>
      {children}
    </div>
  );
}
