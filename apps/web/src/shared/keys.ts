/**
 * Which keys do things, and where?
 *
 * Only on the element that listens (a stage with the focus), never with Ctrl, Alt or Meta held, and
 * not at all where the reader turned them off: single keys get in the way of speech input.
 */
import { signal } from '@preact/signals';

import { settings } from './settings.ts';

export interface Shortcut {
  /** As `KeyboardEvent.key`, letters in lower case; `Shift+` before one that has a name. */
  on: readonly string[];
  /** What is printed on the keys. */
  caps: () => readonly string[];
  about: () => string;
  run: (key: string) => void;
}

/** Those of the view that is open: the list of help. */
export const shortcuts = signal<readonly Shortcut[]>([]);

/** What the pointer does on its stage. */
export const pointerHelp = signal<() => string>(() => '');

export function handleKey(event: KeyboardEvent): void {
  if (!settings.keys.value || event.ctrlKey || event.altKey || event.metaKey) {
    return;
  }
  const plain = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const meantBy = (key: string): Shortcut | undefined => shortcuts.value.find((shortcut) => shortcut.on.includes(key));
  const shifted = event.shiftKey && event.key.length > 1 ? `Shift+${event.key}` : plain;
  const key = meantBy(shifted) === undefined ? plain : shifted;
  const meant = meantBy(key);
  if (meant !== undefined) {
    event.preventDefault();
    meant.run(key);
  }
}
