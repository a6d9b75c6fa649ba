/**
 * Keyboard shortcuts.
 *
 * Active only on the element that listens (a focused stage), never with Ctrl, Alt or Meta, and not
 * at all if switched off in the settings: single keys interfere with speech input.
 */
import { signal } from '@preact/signals';

import { settings } from './settings.ts';

export interface Shortcut {
  /** As `KeyboardEvent.key`, letters in lower case; `Shift+` before a named key. */
  on: readonly string[];
  /** Labels of the keycaps. */
  caps: () => readonly string[];
  about: () => string;
  run: (key: string) => void;
}

/** Shortcuts of the open view, listed in the help dialog. */
export const shortcuts = signal<readonly Shortcut[]>([]);

/** Pointer gestures of the open view's stage. */
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
