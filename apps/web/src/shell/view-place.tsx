/** Which view is open? The one that the address names, loaded when first seen. */
import { effect, signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useErrorBoundary } from 'preact/hooks';

import { onAddress, readAddress } from '../shared/address.ts';
import { words } from '../shared/i18n.ts';
import { writeAfterwards } from '../shared/pace.ts';
import { VIEWS, type View } from '../views/index.ts';
import { report } from './trouble.tsx';

export const openView = signal<View>(VIEWS[0]);
/** What the address said when a view was left. */
const left = signal<ReadonlyMap<View, string>>(new Map());
const shown = signal<{ view: View; Component: ComponentType } | null>(null);

/** The address of a view: as it was left, or as it begins. */
export function addressOf(view: View): string {
  // One that was left before it had written anything begins, too; a link to nothing would load the page anew.
  return left.value.get(view) || `#view=${view.id}`;
}

/** Whether it is another view than before: the one that is left has nothing to read in such an address. */
function follow(address: string): boolean {
  const wanted = wantedView();
  const before = openView.value;
  if (wanted === before) {
    return false;
  }
  // However it is left, by a link or by going back: the links of the page lead to what was seen there last.
  left.value = new Map(left.value).set(before, address);
  openView.value = wanted;
  return true;
}

function wantedView(): View {
  const wanted = readAddress().get('view');
  return VIEWS.find((view) => view.id === wanted) ?? VIEWS[0];
}

async function show(view: View): Promise<void> {
  try {
    const loaded = await view.load();
    shown.value = { view, Component: loaded.default };
  } catch (problem) {
    report(() => words('trouble.load', { message: String(problem) }));
  }
}

export function followAddress(): void {
  openView.value = wantedView();
  onAddress(follow);
  effect(() => {
    void show(openView.value);
  });
  // The browser shows it outside of the page, which stands still until that is done.
  writeAfterwards(
    () => words('page.title', { view: words(openView.value.title) }),
    (title) => (document.title = title),
  );
}

export function ViewPlace() {
  const open = shown.value;
  const [broken] = useErrorBoundary((problem) => {
    report(() => words('trouble.page', { message: String(problem) }));
  });
  if (broken !== undefined) {
    return <main id="main" class="waiting" tabIndex={-1} />;
  }
  return open === null ? (
    <main id="main" class="waiting" tabIndex={-1}>
      <p>{words('page.loading')}</p>
    </main>
  ) : (
    <open.Component key={open.view.id} />
  );
}
