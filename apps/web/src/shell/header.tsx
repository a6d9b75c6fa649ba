/** Header of every view: name, views and settings. */
import { useEffect, useRef } from 'preact/hooks';

import { flushAddress } from '../shared/address.ts';
import { type Language, LANGUAGES, language, t } from '../shared/i18n/translate.ts';
import { sound } from '../shared/sound.ts';
import { VIEWS, type View } from '../views/index.ts';
import { backgroundTasks } from './background-tasks.ts';
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
      <nav class="nav" aria-label={t('nav.label')}>
        <ul>
          {VIEWS.map((view) => (
            <li key={view.id}>
              <ViewLink view={view} />
            </li>
          ))}
        </ul>
      </nav>
      <div class="settings" role="group" aria-label={t('settings.label')}>
        <select
          class="bare-select"
          aria-label={t('settings.language')}
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
          aria-label={t('settings.theme')}
          value={settings.theme.value}
          onChange={(event) => chooseTheme(event.currentTarget.value as Theme)}
        >
          {THEMES.map((theme) => (
            <option key={theme} value={theme} selected={theme === settings.theme.value}>
              {t(`settings.theme.${theme}`)}
            </option>
          ))}
        </select>
        <button
          type="button"
          class="icon-button"
          aria-label={t('settings.sound')}
          title={t('settings.sound')}
          aria-pressed={sound.isOn.value}
          onClick={toggleSound}
        >
          <SoundIcon on={sound.isOn.value} />
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label={t('settings.help')}
          title={t('settings.help')}
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
  // An open view shows its own progress.
  const task = isOpen ? undefined : backgroundTasks.value.get(view.id);
  useEffect(() => {
    // Where the tabs scroll, the open one is scrolled into view.
    if (isOpen && link.current !== null) bringIntoSight(link.current);
  }, [isOpen]);
  return (
    <a
      ref={link}
      href={addressOf(view)}
      aria-current={isOpen ? 'page' : undefined}
      title={task?.about()}
      onClick={(event) => {
        // The link of the open view may hold an older state, which would replace the current one.
        if (isOpen) event.preventDefault();
        // Save the latest change before the view is left.
        else flushAddress();
      }}
    >
      {t(view.title)}
      {task !== undefined && (
        <span class="nav-task" style={{ '--done': `${Math.round(task.share * 100)}%` }}>
          <span class="visually-hidden">, {task.about()}</span>
        </span>
      )}
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

/** Width of the fading edge where the tabs scroll. */
const FADE_PX = 20;

/** By hand: after `scrollIntoView`, Tab would start here and skip the skip link. */
function bringIntoSight(link: HTMLElement): void {
  const row = link.closest('.nav');
  if (row === null) return;
  const [own, seen] = [link.getBoundingClientRect(), row.getBoundingClientRect()];
  if (own.left < seen.left) row.scrollLeft -= seen.left - own.left;
  else if (own.right > seen.right - FADE_PX) row.scrollLeft += own.right - seen.right + FADE_PX;
}
