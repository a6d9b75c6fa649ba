/** Which keys does this view have, while its results have the focus? */
import { words } from '../../shared/i18n.ts';
import type { Shortcut } from '../../shared/keys.ts';
import { HELP } from '../../shared/stage/driver.ts';
import { tell } from '../../shell/status.tsx';
import { SHOWS } from './choice.ts';
import { describe } from './describe.ts';
import type { Session } from './session.ts';
import { wordsOfStudies as say } from './words.ts';

export function shortcutsOf(session: Session): Shortcut[] {
  return [
    { on: ['e'], caps: () => ['E'], about: () => say('key.run'), run: () => session.toggle() },
    {
      on: ['1', '2', '3'],
      caps: () => ['1', '2', '3'],
      about: () => say('key.show'),
      run: (key) => session.change({ show: SHOWS[Number(key) - 1] ?? 'overview' }),
    },
    { on: ['d'], caps: () => ['D'], about: () => words('key.describe'), run: () => tell(() => describe(session)) },
    HELP,
  ];
}
