/** Shortcuts of the rays stage. */
import { t } from '../../../shared/i18n/translate.ts';
import type { Shortcut } from '../../../shared/keys.ts';
import { playbackShortcuts, HELP, outputShortcuts } from '../../../shared/stage/playback.ts';
import { orbitShortcuts } from '../../../shared/webgl/orbit-controls.ts';
import type { ViewRays } from './pointer.ts';
import { CLICKS, TECHNIQUES } from '../workers/protocol.ts';
import type { Session } from './session.ts';
import { tRays } from '../i18n/translate.ts';

export function shortcutsOf(session: Session, view: ViewRays): Shortcut[] {
  const { turn, zoom, home } = orbitShortcuts(view, () => tRays('key.whole'));
  const places = TECHNIQUES.map((_, place) => String(place + 1));
  return [
    ...playbackShortcuts(session),
    {
      on: ['Enter'],
      caps: () => ['↵'],
      about: () => tRays('key.cast'),
      run: () => void session.clickAt(null),
    },
    {
      on: ['k'],
      caps: () => ['K'],
      about: () => tRays('key.mode'),
      run: () => session.selection.chooseClick(CLICKS[(CLICKS.indexOf(session.selection.click.value) + 1) % CLICKS.length] ?? 'aim'),
    },
    {
      on: places,
      caps: () => places,
      about: () => `${tRays('key.technique')}: ${TECHNIQUES.map((technique) => tRays(`structure.${technique}-name`)).join(', ')}`,
      run: (key) => session.selection.chooseTechnique(TECHNIQUES[Number(key) - 1] ?? 'bvh'),
    },
    { on: ['o'], caps: () => ['O'], about: () => tRays('key.boxes'), run: () => session.selection.drawBoxes(!session.selection.drawsBoxes.value) },
    { on: ['[', ']'], caps: () => ['[', ']'], about: () => tRays('key.depth'), run: (key) => session.goDeeper(key === ']' ? 1 : -1) },
    { on: ['l'], caps: () => ['L'], about: () => tRays('key.sight'), run: () => session.drawSight(!session.selection.drawsSight.value) },
    { on: ['h'], caps: () => ['H'], about: () => tRays('key.heat'), run: () => session.heatMaps.toggle() },
    { on: ['Escape'], caps: () => [t('key.escape')], about: () => tRays('key.give-up'), run: () => session.selection.dropPlaced() },
    turn,
    zoom,
    home,
    ...outputShortcuts(session),
    HELP,
  ];
}
