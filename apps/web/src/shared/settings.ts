/**
 * What did the reader choose for the page itself?
 *
 * Only what was set by hand is kept, in this browser; everything else follows the machine. A browser
 * that forbids storage loses nothing but the memory of it.
 */
import { computed, effect, signal } from '@preact/signals';

import { type Language, LANGUAGES, language, preferredLanguage } from './i18n.ts';
import { prefersDark } from './media.ts';
import { writeAfterwards } from './pace.ts';

export type Theme = 'auto' | 'light' | 'dark';

/** Theme colour of the browser's own frame: the page's background. */
const BACKGROUNDS = { dark: '#0e1116', light: '#ffffff' };

function remembered(name: string): string | null {
  try {
    return localStorage.getItem(`embate.${name}`);
  } catch {
    return null;
  }
}

function remember(name: string, value: string | null): void {
  try {
    if (value === null) {
      localStorage.removeItem(`embate.${name}`);
    } else {
      localStorage.setItem(`embate.${name}`, value);
    }
  } catch {
    // Storage is forbidden: the choice lasts as long as the page.
  }
}

const theme = signal<Theme>('auto');
const keys = signal(true);

export const settings = {
  theme,
  /** Whether single keys do things on a stage that has the focus. */
  keys,
  /** What the theme comes to. */
  isDark: computed(() => (theme.value === 'auto' ? prefersDark.value : theme.value === 'dark')),
};

export function chooseLanguage(chosen: Language): void {
  language.value = chosen;
  remember('language', chosen);
}

export function chooseTheme(chosen: Theme): void {
  theme.value = chosen;
  remember('theme', chosen === 'auto' ? null : chosen);
}

export function chooseKeys(on: boolean): void {
  keys.value = on;
  remember('keys', on ? null : 'off');
}

/** Reads what was chosen before, and keeps the document in step from now on. */
export function applySettings(): void {
  const stored = remembered('language');
  language.value = stored !== null && Object.hasOwn(LANGUAGES, stored) ? (stored as Language) : preferredLanguage();
  const chosen = remembered('theme');
  theme.value = chosen === 'light' || chosen === 'dark' ? chosen : 'auto';
  keys.value = remembered('keys') !== 'off';

  // Browsers style the whole page anew for it, which nobody sees: the words come first.
  writeAfterwards(
    () => language.value,
    (tag) => (document.documentElement.lang = tag),
  );
  effect(() => {
    const name = settings.isDark.value ? 'dark' : 'light';
    document.documentElement.dataset['theme'] = name;
    document.querySelector('meta[name="theme-color"]')?.setAttribute('content', BACKGROUNDS[name]);
  });
}
