/** Registry of the views: the header lists them, each is loaded when opened. */
import type { ComponentType } from 'preact';

import type { PlainKey } from '../shared/i18n/translate.ts';

export interface View {
  /** Value of `#view=`. */
  id: string;
  title: PlainKey;
  load: () => Promise<{ default: ComponentType }>;
}

export const VIEWS: readonly [View, ...View[]] = [
  { id: '2d', title: 'view.broad2d', load: () => import('./broad2d/view.tsx') },
  { id: '3d', title: 'view.simulator3d', load: () => import('./simulator3d/view.tsx') },
  { id: 'rays', title: 'view.rays', load: () => import('./rays/view.tsx') },
  { id: 'studies', title: 'view.studies', load: () => import('./studies/view.tsx') },
];
