/** Announcements of completed edits, for screen readers. */
import type { Edit, Rules } from '../workers/protocol.ts';
import { t3d } from './translate.ts';

interface EditResult {
  /** Name of the affected body. */
  name: string;
  step: number;
  /** The edit was made at another step than the displayed one. */
  goes: boolean;
}

export function announcementOf(edit: Edit, { name, step, goes }: EditResult): string {
  switch (edit.do) {
    case 'add':
    case 'duplicate':
      return t3d('announce.added', { name });
    case 'remove':
      return t3d('announce.removed');
    case 'clear':
      return t3d('announce.cleared');
    case 'change':
      return t3d('announce.changed', { name });
    case 'rules': {
      const { solver }: Partial<Rules> = edit.json;
      return solver === undefined ? t3d('announce.rules') : t3d('announce.method', { name: t3d(`env.solver.${solver}`) });
    }
    case 'enclose':
      return t3d('announce.rules');
    case 'throw':
      return t3d('announce.thrown');
    case 'push':
      return t3d('announce.pushed', { name });
    case 'undo':
      return t3d(goes ? 'announce.undone-at' : 'announce.undone', { step });
    case 'redo':
      return t3d(goes ? 'announce.redone-at' : 'announce.redone', { step });
  }
}
