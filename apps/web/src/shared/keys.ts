/**
 * Keyboard shortcuts.
 *
 * A focused stage listens to all of them. The page listens to those of one character, which are
 * printed on buttons, unless the focused element uses the key itself. Never with Ctrl, Alt or Meta,
 * and not at all if switched off in the settings: single keys interfere with speech input.
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

/** Elements that take text, or search their options by it. */
const TAKES_TEXT = 'input:not([type=checkbox], [type=radio], [type=range], [type=button], [type=file]), textarea, select, [contenteditable]';

/**
 * For key events of the whole page. Named keys (arrows, Home, Escape) stay with the focused
 * element: they scroll, and close dialogs. Space presses the focused control, and scrolls a focused
 * region.
 */
export function handlePageKey(event: KeyboardEvent): void {
  const { target, key } = event;
  if (event.defaultPrevented || key.length > 1 || !(target instanceof Element)) return;
  if (target.matches(TAKES_TEXT) || target.closest('dialog') !== null) return;
  // The main element has the focus after the skip link.
  const isPage = target === document.body || target === document.documentElement || target.id === 'main';
  if (key === ' ' && !isPage) return;
  handleKey(event);
}
