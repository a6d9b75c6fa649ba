/** The open view: determined by the address, loaded on first use. */
import { effect, signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useErrorBoundary } from 'preact/hooks';

import { onAddressChange, readAddress } from '../shared/address.ts';
import { t } from '../shared/i18n/translate.ts';
import { updateAfterPaint } from '../shared/throttle.ts';
import { VIEWS, type View } from '../views/index.ts';
import { reportError } from './error-banner.tsx';
import { clearNotice } from './notice.tsx';
import { announce, clearMessages } from './status.tsx';

export const openView = signal<View>(VIEWS[0]);
/** Last address of each view. */
const left = signal<ReadonlyMap<View, string>>(new Map());
const shown = signal<{ view: View; Component: ComponentType } | null>(null);

/** Address of a view: its last one, or the default. */
export function addressOf(view: View): string {
  // A view that was left before its first write starts fresh; an empty link would reload the page.
  return left.value.get(view) || `#view=${view.id}`;
}

/** Returns whether the view has changed: the previous view must not parse the new address. */
function follow(address: string): boolean {
  const wanted = viewOfAddress();
  const before = openView.value;
  if (wanted === before) {
    return false;
  }
  // However the view is left, by a link or by going back: the tabs lead to its last state.
  left.value = new Map(left.value).set(before, address);
  clearMessages();
  clearNotice();
  openView.value = wanted;
  return true;
}

function viewOfAddress(): View {
  const wanted = readAddress().get('view');
  return VIEWS.find((view) => view.id === wanted) ?? VIEWS[0];
}

async function show(view: View): Promise<void> {
  try {
    const loaded = await view.load();
    const isFirst = shown.peek() === null;
    shown.value = { view, Component: loaded.default };
    // The browser announces the first view with the page.
    if (!isFirst && view === openView.peek()) announce(() => t('announce.view', { view: t(view.title) }));
  } catch (problem) {
    reportError(() => t('failure.load', { message: String(problem) }));
  }
}

export function followAddress(): void {
  openView.value = viewOfAddress();
  onAddressChange(follow);
  effect(() => {
    void show(openView.value);
  });
  // The title is rendered by the browser outside the page, which blocks until that is done.
  updateAfterPaint(
    () => t('page.title', { view: t(openView.value.title) }),
    (title) => (document.title = title),
  );
}

export function ViewPlace() {
  const open = shown.value;
  const [broken] = useErrorBoundary((problem) => {
    reportError(() => t('failure.page', { message: String(problem) }));
  });
  if (broken !== undefined) {
    return <main id="main" class="waiting" tabIndex={-1} />;
  }
  return open === null ? (
    <main id="main" class="waiting" tabIndex={-1}>
      <p>{t('page.loading')}</p>
    </main>
  ) : (
    <open.Component key={open.view.id} />
  );
}
