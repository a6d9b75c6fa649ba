/** Shortcuts of the focused results panel. */
import { t } from '../../../shared/i18n/translate.ts';
import type { Shortcut } from '../../../shared/keys.ts';
import { HELP } from '../../../shared/stage/playback.ts';
import { showToast } from '../../../shell/status.tsx';
import { SHOWS } from './choice.ts';
import { describe } from './describe.ts';
import type { Session } from './session.ts';
import { tStudies } from '../i18n/translate.ts';

export function shortcutsOf(session: Session): Shortcut[] {
  return [
    { on: ['e'], caps: () => ['E'], about: () => tStudies('key.run'), run: () => session.toggle() },
    {
      on: ['1', '2', '3'],
      caps: () => ['1', '2', '3'],
      about: () => tStudies('key.show'),
      run: (key) => session.change({ show: SHOWS[Number(key) - 1] ?? 'overview' }),
    },
    { on: ['d'], caps: () => ['D'], about: () => t('key.describe'), run: () => showToast(() => describe(session)) },
    HELP,
  ];
}
