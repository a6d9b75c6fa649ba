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
export const isWide = follows('(min-width: 1100px)');
