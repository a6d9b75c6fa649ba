/** Which keys work on this stage? */
import { words } from '../../shared/i18n.ts';
import type { Shortcut } from '../../shared/keys.ts';
import { openHelp } from '../../shell/help.tsx';
import { toggleSound } from '../../shell/sound-switch.ts';
import { tell } from '../../shell/status.tsx';
import { describe } from './describe.ts';
import type { Session } from './session.ts';
import { type View2d, ZOOM } from './pointer.ts';

/** So far goes the view with one press of an arrow, in CSS pixels. */
const PAN = 48;

const ARROWS: Record<string, [dx: number, dy: number]> = {
  ArrowLeft: [PAN, 0],
  ArrowRight: [-PAN, 0],
  ArrowUp: [0, PAN],
  ArrowDown: [0, -PAN],
};

export function shortcutsOf(session: Session, view: View2d): Shortcut[] {
  return [
    { on: [' '], caps: () => [words('key.space')], about: 'key.play', run: () => session.togglePlaying() },
    { on: ['.'], caps: () => ['.'], about: 'key.step', run: () => session.step() },
    { on: ['r'], caps: () => ['R'], about: 'key.reset', run: () => session.reset() },
    { on: ['g'], caps: () => ['G'], about: 'key.cells', run: () => session.toggleOverlay('cells') },
    { on: ['b'], caps: () => ['B'], about: 'key.boxes', run: () => session.toggleOverlay('boxes') },
    {
      on: ['[', ']'],
      caps: () => ['[', ']'],
      about: 'key.next',
      run: (key) => session.selectBy(key === ']' ? 1 : -1),
    },
    { on: ['Escape'], caps: () => [words('key.escape')], about: 'key.clear', run: () => session.select(null) },
    {
      on: Object.keys(ARROWS),
      caps: () => [words('key.arrows')],
      about: 'key.move',
      run: (key) => {
        const [dx, dy] = ARROWS[key] ?? [0, 0];
        view.pan(dx, dy);
      },
    },
    {
      on: ['+', '=', '-', '_'],
      caps: () => ['+', '−'],
      about: 'key.zoom',
      run: (key) => view.zoomAtMiddle(key === '+' || key === '=' ? ZOOM : 1 / ZOOM),
    },
    { on: ['Home'], caps: () => [words('key.home')], about: 'key.fit', run: () => view.fit() },
    { on: ['m'], caps: () => ['M'], about: 'key.sound', run: toggleSound },
    { on: ['d'], caps: () => ['D'], about: 'key.describe', run: () => tell(() => describe(session)) },
    { on: ['e'], caps: () => ['E'], about: 'key.experiment', run: () => session.experiments.toggle() },
    { on: ['?'], caps: () => ['?'], about: 'key.help', run: openHelp },
  ];
}
