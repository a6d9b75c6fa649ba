/** A button that says which key does the same. */
import type { ComponentChildren } from 'preact';

import { settings } from './settings.ts';

interface ButtonProps {
  children: ComponentChildren;
  onClick: () => void;
  /** What is printed on the key that does the same. */
  cap?: string;
  /** The key as assistive technology names it, where it is not the cap. */
  keyName?: string;
  pressed?: boolean;
  disabled?: boolean;
  /** Nothing to do at present; unlike a disabled one it keeps the focus, so that nobody who pressed it is lost. */
  idle?: boolean;
  /** A name other than what is shown. */
  label?: string;
  class?: string;
  controls?: string;
  /** The id of what explains it. */
  describedBy?: string | undefined;
}

export function Button({ children, cap, keyName, pressed, label, controls, describedBy, idle, onClick, ...rest }: ButtonProps) {
  const usesKeys = settings.keys.value && cap !== undefined;
  return (
    <button
      type="button"
      {...rest}
      class={`button ${rest.class ?? ''}`}
      aria-label={label}
      title={label}
      aria-disabled={idle === true ? true : undefined}
      onClick={() => idle !== true && onClick()}
      aria-pressed={pressed}
      aria-controls={controls}
      aria-describedby={describedBy}
      aria-keyshortcuts={usesKeys ? (keyName ?? cap) : undefined}
    >
      {children}
      {usesKeys && <Keycap>{cap}</Keycap>}
    </button>
  );
}

export function Keycap({ children }: { children: ComponentChildren }) {
  return (
    <kbd class="keycap" aria-hidden="true">
      {children}
    </kbd>
  );
}
