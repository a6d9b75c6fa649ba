/** Notice: a dismissible message that is no error. */
import { signal } from '@preact/signals';

import { t } from '../shared/i18n/translate.ts';
import { announce } from './status.tsx';

const notice = signal<(() => string) | null>(null);

export function notify(message: () => string): void {
  notice.value = message;
  announce(message);
}

/** A notice about another link does not apply to this one. */
export function clearNotice(): void {
  notice.value = null;
}

export function Notice() {
  const message = notice.value;
  return message === null ? null : (
    <aside class="notice" aria-label={t('notice.label')}>
      <p>{message()}</p>
      <button type="button" class="button compact" onClick={() => (notice.value = null)}>
        {t('failure.dismiss')}
      </button>
    </aside>
  );
}
