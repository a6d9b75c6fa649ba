/** Name, views and settings: the line at the top of every view. */
import { useEffect, useRef } from 'preact/hooks';

import { writeNow } from '../shared/address.ts';
import { type Language, LANGUAGES, language, words } from '../shared/i18n.ts';
import { sound } from '../shared/sound.ts';
import { VIEWS, type View } from '../views/index.ts';
import { openHelp } from './help.tsx';
import { Logo } from './logo.tsx';
import { chooseLanguage, chooseTheme, settings, type Theme } from '../shared/settings.ts';
import { toggleSound } from './sound-switch.ts';
import { addressOf, openView } from './view-place.tsx';

const THEMES: readonly Theme[] = ['auto', 'light', 'dark'];

export function Header() {
  return (
    <header class="header">
      <p class="brand">
        <Logo />
        Embate
      </p>
      <nav class="nav" aria-label={words('nav.label')}>
        <ul>
          {VIEWS.map((view) => (
            <li key={view.id}>
              <ViewLink view={view} />
            </li>
          ))}
        </ul>
      </nav>
      <div class="settings" role="group" aria-label={words('settings.label')}>
        <select
          class="bare-select"
          aria-label={words('settings.language')}
          value={language.value}
          onChange={(event) => chooseLanguage(event.currentTarget.value as Language)}
        >
          {Object.entries(LANGUAGES).map(([tag, name]) => (
            <option key={tag} value={tag} lang={tag} selected={tag === language.value}>
              {name}
            </option>
          ))}
        </select>
        <select
          class="bare-select"
          aria-label={words('settings.theme')}
          value={settings.theme.value}
          onChange={(event) => chooseTheme(event.currentTarget.value as Theme)}
        >
          {THEMES.map((theme) => (
            <option key={theme} value={theme} selected={theme === settings.theme.value}>
              {words(`settings.theme.${theme}`)}
            </option>
          ))}
        </select>
        <button
          type="button"
          class="icon-button"
          aria-label={words('settings.sound')}
          title={words('settings.sound')}
          aria-pressed={sound.isOn.value}
          onClick={toggleSound}
        >
          <SoundIcon on={sound.isOn.value} />
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label={words('settings.help')}
          title={words('settings.help')}
          aria-haspopup="dialog"
          onClick={openHelp}
        >
          <HelpIcon />
        </button>
      </div>
    </header>
  );
}

function ViewLink({ view }: { view: View }) {
  const isOpen = view === openView.value;
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    // Where not all views have room side by side, the open one is in sight.
    if (isOpen && link.current !== null) bringIntoSight(link.current);
  }, [isOpen]);
  return (
    <a
      ref={link}
      href={addressOf(view)}
      aria-current={isOpen ? 'page' : undefined}
      onClick={(event) => {
        // An older address of the open view would throw its state away.
        if (isOpen) event.preventDefault();
        // What was just changed is to be found again.
        else writeNow();
      }}
    >
      {words(view.title)}
    </a>
  );
}

function HelpIcon() {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d="M5.2 5.8a2.8 2.8 0 1 1 4.3 2.4c-.9.6-1.5 1.1-1.5 2.1M8 13h.01" stroke-width="1.8" />
    </svg>
  );
}

function SoundIcon({ on }: { on: boolean }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d="M2.5 6v4H5l3.5 3V3L5 6z" />
      {on ? <path d="M11 5.5a3.5 3.5 0 0 1 0 5M12.8 3.5a6.2 6.2 0 0 1 0 9" /> : <path d="m11 6 4 4m0-4-4 4" />}
    </svg>
  );
}

/** By hand: after `scrollIntoView`, Tab would begin here and pass over the skip link. */
function bringIntoSight(link: HTMLElement): void {
  const row = link.closest('.nav');
  if (row === null) return;
  const [own, seen] = [link.getBoundingClientRect(), row.getBoundingClientRect()];
  if (own.left < seen.left) row.scrollLeft -= seen.left - own.left;
  else if (own.right > seen.right) row.scrollLeft += own.right - seen.right;
}
