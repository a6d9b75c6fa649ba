/**
 * Settings of the page.
 *
 * Only explicit choices are stored, in this browser; the defaults follow the system. Where storage
 * is forbidden, choices last as long as the page.
 */
import { computed, effect, signal } from '@preact/signals';

import { type Language, LANGUAGES, language, preferredLanguage } from './i18n/translate.ts';
import { prefersDark } from './media.ts';
import { updateAfterPaint } from './throttle.ts';

export type Theme = 'auto' | 'light' | 'dark';

/** Theme color of the browser's own frame: the page's background. */
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
  /** Whether single-key shortcuts work. */
  keys,
  /** The resolved theme. */
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

/** Restores the stored settings and keeps the document in sync with them. */
export function applySettings(): void {
  const stored = remembered('language');
  language.value = stored !== null && Object.hasOwn(LANGUAGES, stored) ? (stored as Language) : preferredLanguage();
  const chosen = remembered('theme');
  theme.value = chosen === 'light' || chosen === 'dark' ? chosen : 'auto';
  keys.value = remembered('keys') !== 'off';

  // Browsers restyle the whole page for this invisible attribute: render the texts first.
  updateAfterPaint(
    () => language.value,
    (tag) => (document.documentElement.lang = tag),
  );
  effect(() => {
    const name = settings.isDark.value ? 'dark' : 'light';
    document.documentElement.dataset['theme'] = name;
    document.querySelector('meta[name="theme-color"]')?.setAttribute('content', BACKGROUNDS[name]);
  });
}
