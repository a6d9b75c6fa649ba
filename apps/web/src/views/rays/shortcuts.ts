/** Which keys work on this stage? */
import { words } from '../../shared/i18n.ts';
import type { Shortcut } from '../../shared/keys.ts';
import { drivingShortcuts, HELP, spokenShortcuts } from '../../shared/stage/driver.ts';
import { orbitShortcuts } from '../../shared/stage/orbit-view.ts';
import type { ViewRays } from './pointer.ts';
import { CLICKS, TECHNIQUES } from './protocol.ts';
import type { Session } from './session.ts';
import { wordsRays } from './words.ts';

export function shortcutsOf(session: Session, view: ViewRays): Shortcut[] {
  const { turn, zoom, home } = orbitShortcuts(view, () => wordsRays('key.whole'));
  const places = TECHNIQUES.map((_, place) => String(place + 1));
  return [
    ...drivingShortcuts(session),
    {
      on: ['Enter'],
      caps: () => ['↵'],
      about: () => wordsRays('key.cast'),
      run: () => void session.clickAt(null),
    },
    {
      on: ['k'],
      caps: () => ['K'],
      about: () => wordsRays('key.mode'),
      run: () => session.chosen.chooseClick(CLICKS[(CLICKS.indexOf(session.chosen.click.value) + 1) % CLICKS.length] ?? 'aim'),
    },
    {
      on: places,
      caps: () => places,
      about: () => wordsRays('key.technique'),
      run: (key) => session.chosen.chooseTechnique(TECHNIQUES[Number(key) - 1] ?? 'bvh'),
    },
    { on: ['o'], caps: () => ['O'], about: () => wordsRays('key.boxes'), run: () => session.chosen.drawBoxes(!session.chosen.drawsBoxes.value) },
    { on: ['[', ']'], caps: () => ['[', ']'], about: () => wordsRays('key.depth'), run: (key) => session.goDeeper(key === ']' ? 1 : -1) },
    { on: ['l'], caps: () => ['L'], about: () => wordsRays('key.sight'), run: () => session.drawSight(!session.chosen.drawsSight.value) },
    { on: ['h'], caps: () => ['H'], about: () => wordsRays('key.heat'), run: () => session.heating.toggle() },
    { on: ['Escape'], caps: () => [words('key.escape')], about: () => wordsRays('key.give-up'), run: () => session.chosen.forgetPlaced() },
    turn,
    zoom,
    home,
    ...spokenShortcuts(session),
    HELP,
  ];
}
