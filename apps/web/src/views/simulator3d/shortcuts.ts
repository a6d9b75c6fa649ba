/** Which keys work on this stage? */
import { words } from '../../shared/i18n.ts';
import type { Shortcut } from '../../shared/keys.ts';
import { drivingShortcuts, HELP, spokenShortcuts } from '../../shared/stage/driver.ts';
import { orbitShortcuts } from '../../shared/stage/orbit-view.ts';
import type { Overlay } from './protocol.ts';
import type { View3d } from './pointer.ts';
import type { Session } from './session.ts';
import { words3d } from './words.ts';

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
  const { turn, zoom, home } = orbitShortcuts(view, () => words3d('key.home'));
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
    turn,
    {
      on: Object.keys(PUSHES),
      caps: () => ['Shift', words('key.arrows'), 'PgUp', 'PgDn'],
      about: () => words3d('key.push'),
      run: (key) => session.pushSelected(...(PUSHES[key] ?? [0, 0, 0])),
    },
    zoom,
    home,
    ...spokenShortcuts(session),
    HELP,
  ];
}
