/** What went wrong, and how does the reader get back? Words and a button, never a blank page. */
import { signal } from '@preact/signals';

import { type PlainKey, words } from '../shared/i18n.ts';

interface Trouble {
  message: () => string;
  /** What the button does, and its name. */
  mend: () => void;
  mendKey: PlainKey;
}

const trouble = signal<Trouble | null>(null);

/** Returns how to take it back, once it is mended in another way. */
export function report(
  message: () => string,
  mend: () => void = () => location.reload(),
  mendKey: Trouble['mendKey'] = 'page.reload',
): () => void {
  const told = { message, mend, mendKey };
  trouble.value = told;
  return () => {
    if (trouble.value === told) {
      trouble.value = null;
    }
  };
}

/** What nobody caught is told too: a silent page is worse. */
export function watchForErrors(): void {
  const tell = (message: string): void => void report(() => words('trouble.page', { message }));
  window.addEventListener('error', (event) => {
    // Browsers say this when a size changes twice in one frame; nothing is lost.
    if (!event.message.includes('ResizeObserver')) {
      tell(event.message);
    }
  });
  window.addEventListener('unhandledrejection', (event) => tell(String(event.reason)));
}

export function TroubleBanner() {
  const known = trouble.value;
  if (known === null) {
    return null;
  }
  const mend = (): void => {
    trouble.value = null;
    known.mend();
  };
  return (
    <div class="trouble" role="alert">
      <p>
        <strong>{words('trouble.title')}.</strong> {known.message()}
      </p>
      <div class="trouble-actions">
        <button type="button" class="button primary" onClick={mend}>
          {words(known.mendKey)}
        </button>
        <button type="button" class="button" onClick={() => (trouble.value = null)}>
          {words('trouble.dismiss')}
        </button>
      </div>
    </div>
  );
}
