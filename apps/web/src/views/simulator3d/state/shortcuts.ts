/** Shortcuts of the 3D stage. */
import { t } from '../../../shared/i18n/translate.ts';
import type { Shortcut } from '../../../shared/keys.ts';
import { playbackShortcuts, HELP, outputShortcuts } from '../../../shared/stage/playback.ts';
import { orbitShortcuts } from '../../../shared/webgl/orbit-controls.ts';
import type { Overlay } from '../workers/protocol.ts';
import type { View3d } from './pointer.ts';
import type { Session } from './session.ts';
import { t3d } from '../i18n/translate.ts';

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
  groups: 'P',
  islands: 'I',
};

export function shortcutsOf(session: Session, view: View3d): Shortcut[] {
  const overlays = (Object.entries(OVERLAY_KEYS) as [Overlay, string][]).map(
    ([name, cap]): Shortcut => ({
      on: [cap.toLowerCase()],
      caps: () => [cap],
      about: () => t3d('key.overlay', { what: t3d(`overlay.${name}`) }),
      run: () => session.toggleOverlay(name),
    }),
  );
  const { turn, zoom, home } = orbitShortcuts(view, () => t3d('key.home'));
  return [
    ...playbackShortcuts(session),
    ...overlays,
    {
      on: ['[', ']'],
      caps: () => ['[', ']'],
      about: () => t3d('key.next'),
      run: (key) => session.selection.selectBy(key === ']' ? 1 : -1),
    },
    { on: ['Escape'], caps: () => [t('key.escape')], about: () => t('key.clear'), run: () => session.selection.select(null) },
    { on: ['Delete', 'Backspace'], caps: () => [t3d('key.del'), '⌫'], about: () => t3d('key.delete'), run: () => session.removeSelected() },
    { on: ['t'], caps: () => ['T'], about: () => t3d('key.throw'), run: () => view.throw() },
    { on: ['u'], caps: () => ['U'], about: () => t3d('key.undo'), run: () => session.edit({ do: 'undo' }, 'objects') },
    { on: ['y'], caps: () => ['Y'], about: () => t3d('key.redo'), run: () => session.edit({ do: 'redo' }, 'objects') },
    turn,
    {
      on: Object.keys(PUSHES),
      caps: () => ['Shift', t('key.arrows'), 'PgUp', 'PgDn'],
      about: () => t3d('key.push'),
      run: (key) => session.pushSelected(...(PUSHES[key] ?? [0, 0, 0])),
    },
    zoom,
    home,
    ...outputShortcuts(session),
    HELP,
  ];
}
