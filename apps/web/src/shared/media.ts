/** Media queries as signals. */
import { type ReadonlySignal, signal } from '@preact/signals';

function follows(query: string): ReadonlySignal<boolean> {
  const list = matchMedia(query);
  const matches = signal(list.matches);
  list.addEventListener('change', () => (matches.value = list.matches));
  return matches;
}

export const prefersDark = follows('(prefers-color-scheme: dark)');
export const prefersLessMotion = follows('(prefers-reduced-motion: reduce)');
/** One column, and larger text in fields, as in the style sheets. */
export const isPhone = follows('(max-width: 719px)');
export const isWide = follows('(min-width: 1100px)');
