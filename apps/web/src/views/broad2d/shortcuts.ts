/** Which keys work on this stage? */
import { words } from '../../shared/i18n.ts';
import type { Shortcut } from '../../shared/keys.ts';
import { drivingShortcuts, HELP, spokenShortcuts } from '../../shared/stage/driver.ts';
import { ZOOM } from '../../shared/stage/view-tools.tsx';
import type { Session } from './session.ts';
import type { View2d } from './pointer.ts';

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
    ...drivingShortcuts(session),
    { on: ['g'], caps: () => ['G'], about: () => words('key.cells'), run: () => session.toggleOverlay('cells') },
    { on: ['b'], caps: () => ['B'], about: () => words('key.boxes'), run: () => session.toggleOverlay('boxes') },
    {
      on: ['[', ']'],
      caps: () => ['[', ']'],
      about: () => words('key.next'),
      run: (key) => session.selectBy(key === ']' ? 1 : -1),
    },
    { on: ['Escape'], caps: () => [words('key.escape')], about: () => words('key.clear'), run: () => session.select(null) },
    {
      on: Object.keys(ARROWS),
      caps: () => [words('key.arrows')],
      about: () => words('key.move'),
      run: (key) => {
        const [dx, dy] = ARROWS[key] ?? [0, 0];
        view.pan(dx, dy);
      },
    },
    {
      on: ['+', '=', '-', '_'],
      caps: () => ['+', '−'],
      about: () => words('key.zoom'),
      run: (key) => view.zoomAtMiddle(key === '+' || key === '=' ? ZOOM : 1 / ZOOM),
    },
    { on: ['Home'], caps: () => [words('key.home')], about: () => words('key.fit'), run: () => view.fit() },
    ...spokenShortcuts(session),
    { on: ['e'], caps: () => ['E'], about: () => words('key.experiment'), run: () => session.experiments.toggle() },
    HELP,
  ];
}
