/** Which keys work on this stage? */
import { words } from '../../shared/i18n.ts';
import type { Shortcut } from '../../shared/keys.ts';
import { drivingShortcuts, HELP, spokenShortcuts } from '../../shared/stage/driver.ts';
import { ZOOM } from '../../shared/stage/view-tools.tsx';
import type { Overlay } from './protocol.ts';
import type { View3d } from './pointer.ts';
import type { Session } from './session.ts';
import { words3d } from './words.ts';

/** So far turns the view with one press of an arrow, as if dragged by CSS pixels. */
const TURN = 32;

const ARROWS: Record<string, [dx: number, dy: number]> = {
  ArrowLeft: [TURN, 0],
  ArrowRight: [-TURN, 0],
  ArrowUp: [0, TURN],
  ArrowDown: [0, -TURN],
};

const PUSHES: Record<string, [across: number, up: number, away: number]> = {
  'Shift+ArrowLeft': [-1, 0, 0],
  'Shift+ArrowRight': [1, 0, 0],
  'Shift+ArrowUp': [0, 0, 1],
  'Shift+ArrowDown': [0, 0, -1],
  'Shift+PageUp': [0, 1, 0],
  'Shift+PageDown': [0, -1, 0],
};

export const OVERLAY_KEYS: Record<Overlay, string> = {
  grid: 'G',
  boxes: 'B',
  contacts: 'C',
  normals: 'N',
  velocities: 'V',
  octree: 'O',
  islands: 'I',
};

export function shortcutsOf(session: Session, view: View3d): Shortcut[] {
  const overlays = (Object.entries(OVERLAY_KEYS) as [Overlay, string][]).map(
    ([name, cap]): Shortcut => ({
      on: [cap.toLowerCase()],
      caps: () => [cap],
      about: () => words3d('key.overlay', { what: words3d(`overlay.${name}`) }),
      run: () => session.toggleOverlay(name),
    }),
  );
  return [
    ...drivingShortcuts(session),
    ...overlays,
    {
      on: ['[', ']'],
      caps: () => ['[', ']'],
      about: () => words3d('key.next'),
      run: (key) => session.selection.selectBy(key === ']' ? 1 : -1),
    },
    { on: ['Escape'], caps: () => [words('key.escape')], about: () => words('key.clear'), run: () => session.selection.select(null) },
    { on: ['Delete', 'Backspace'], caps: () => [words3d('key.del'), '⌫'], about: () => words3d('key.delete'), run: () => session.removeSelected() },
    { on: ['t'], caps: () => ['T'], about: () => words3d('key.throw'), run: () => view.throw() },
    { on: ['u'], caps: () => ['U'], about: () => words3d('key.undo'), run: () => session.edit({ do: 'undo' }, 'objects') },
    { on: ['y'], caps: () => ['Y'], about: () => words3d('key.redo'), run: () => session.edit({ do: 'redo' }, 'objects') },
    {
      on: Object.keys(ARROWS),
      caps: () => [words('key.arrows')],
      about: () => words3d('key.orbit'),
      run: (key) => {
        const [dx, dy] = ARROWS[key] ?? [0, 0];
        view.orbit(dx, dy);
      },
    },
    {
      on: Object.keys(PUSHES),
      caps: () => ['Shift', words('key.arrows'), 'PgUp', 'PgDn'],
      about: () => words3d('key.push'),
      run: (key) => session.pushSelected(...(PUSHES[key] ?? [0, 0, 0])),
    },
    {
      on: ['+', '=', '-', '_'],
      caps: () => ['+', '−'],
      about: () => words('key.zoom'),
      run: (key) => view.zoom(key === '+' || key === '=' ? ZOOM : 1 / ZOOM),
    },
    { on: ['Home'], caps: () => [words('key.home')], about: () => words3d('key.home'), run: () => view.home() },
    ...spokenShortcuts(session),
    HELP,
  ];
}
