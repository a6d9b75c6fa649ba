/** Error banner: a message and a way to recover, never a blank page. */
import { signal } from '@preact/signals';

import { type PlainKey, t } from '../shared/i18n/translate.ts';

interface PageError {
  message: () => string;
  /** Action and label of the button. */
  recover: () => void;
  recoverKey: PlainKey;
}

const pageError = signal<PageError | null>(null);

/** Shows the error; returns a function that withdraws it once it is resolved in another way. */
export function reportError(
  message: () => string,
  recover: () => void = () => location.reload(),
  recoverKey: PageError['recoverKey'] = 'page.reload',
): () => void {
  const shown = { message, recover, recoverKey };
  pageError.value = shown;
  return () => {
    if (pageError.value === shown) {
      pageError.value = null;
    }
  };
}

/** Uncaught errors are shown too: a silent page is worse. */
export function watchForErrors(): void {
  const report = (message: string): void => void reportError(() => t('failure.page', { message }));
  window.addEventListener('error', (event) => {
    // Browsers report this when a size changes twice in one frame; harmless.
    if (!event.message.includes('ResizeObserver')) {
      report(event.message);
    }
  });
  window.addEventListener('unhandledrejection', (event) => report(String(event.reason)));
}

export function ErrorBanner() {
  const known = pageError.value;
  if (known === null) {
    return null;
  }
  const recover = (): void => {
    pageError.value = null;
    known.recover();
  };
  return (
    <div class="trouble" role="alert">
      <p>
        <strong>{t('failure.title')}.</strong> {known.message()}
      </p>
      <div class="trouble-actions">
        <button type="button" class="button primary" onClick={recover}>
          {t(known.recoverKey)}
        </button>
        <button type="button" class="button" onClick={() => (pageError.value = null)}>
          {t('failure.dismiss')}
        </button>
      </div>
    </div>
  );
}
