/** Shortcuts of the 2D stage. */
import { t2d } from '../i18n/translate.ts';
import type { Shortcut } from '../../../shared/keys.ts';
import { playbackShortcuts, HELP, outputShortcuts } from '../../../shared/stage/playback.ts';
import { ZOOM } from '../../../shared/stage/zoom-buttons.tsx';
import type { Session } from './session.ts';
import type { View2d } from './pointer.ts';

/** One press of an arrow key pans by this many CSS pixels. */
const PAN = 48;

const ARROWS: Record<string, [dx: number, dy: number]> = {
  ArrowLeft: [PAN, 0],
  ArrowRight: [-PAN, 0],
  ArrowUp: [0, PAN],
  ArrowDown: [0, -PAN],
};

export function shortcutsOf(session: Session, view: View2d): Shortcut[] {
  return [
    ...playbackShortcuts(session),
    { on: ['g'], caps: () => ['G'], about: () => t2d('key.cells'), run: () => session.toggleOverlay('cells') },
    { on: ['b'], caps: () => ['B'], about: () => t2d('key.boxes'), run: () => session.toggleOverlay('boxes') },
    { on: ['o'], caps: () => ['O'], about: () => t2d('key.groups'), run: () => session.toggleOverlay('groups') },
    { on: ['l'], caps: () => ['L'], about: () => t2d('key.levels'), run: () => session.toggleOverlay('levels') },
    {
      on: ['[', ']'],
      caps: () => ['[', ']'],
      about: () => t2d('key.next'),
      run: (key) => session.selectBy(key === ']' ? 1 : -1),
    },
    { on: ['Escape'], caps: () => [t2d('key.escape')], about: () => t2d('key.clear'), run: () => session.select(null) },
    {
      on: Object.keys(ARROWS),
      caps: () => [t2d('key.arrows')],
      about: () => t2d('key.move'),
      run: (key) => {
        const [dx, dy] = ARROWS[key] ?? [0, 0];
        view.pan(dx, dy);
      },
    },
    {
      on: ['+', '=', '-', '_'],
      caps: () => ['+', '−'],
      about: () => t2d('key.zoom'),
      run: (key) => view.zoomAtMiddle(key === '+' || key === '=' ? ZOOM : 1 / ZOOM),
    },
    { on: ['Home'], caps: () => [t2d('key.home')], about: () => t2d('key.fit'), run: () => view.fit() },
    ...outputShortcuts(session),
    { on: ['e'], caps: () => ['E'], about: () => t2d('key.experiment'), run: () => session.experiments.toggle() },
    HELP,
  ];
}
