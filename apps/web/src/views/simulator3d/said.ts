/** What is said of a change that was made, to those who listen? */
import type { Edit } from './protocol.ts';
import { words3d } from './words.ts';

interface Made {
  /** Of the body that it concerns. */
  name: string;
  step: number;
  /** It was not made at the step that was looked at. */
  goes: boolean;
}

export function saidOf(edit: Edit, { name, step, goes }: Made): string {
  switch (edit.do) {
    case 'add':
    case 'duplicate':
      return words3d('said.added', { name });
    case 'remove':
      return words3d('said.removed');
    case 'change':
      return words3d('said.changed', { name });
    case 'rules':
    case 'enclose':
      return words3d('said.rules');
    case 'throw':
      return words3d('said.thrown');
    case 'push':
      return words3d('said.pushed', { name });
    case 'undo':
      return words3d(goes ? 'said.undone-at' : 'said.undone', { step });
    case 'redo':
      return words3d(goes ? 'said.redone-at' : 'said.redone', { step });
  }
}
