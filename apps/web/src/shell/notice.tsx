/** What should the reader know that is no error? A line that can be put away. */
import { signal } from '@preact/signals';

import { words } from '../shared/i18n.ts';
import { say } from './status.tsx';

const notice = signal<(() => string) | null>(null);

export function notify(message: () => string): void {
  notice.value = message;
  say(message);
}

/** What was said of another link says nothing of this one. */
export function clearNotice(): void {
  notice.value = null;
}

export function Notice() {
  const message = notice.value;
  return message === null ? null : (
    <aside class="notice" aria-label={words('notice.label')}>
      <p>{message()}</p>
      <button type="button" class="button compact" onClick={() => (notice.value = null)}>
        {words('trouble.dismiss')}
      </button>
    </aside>
  );
}
