/** Button that shows its keyboard shortcut. */
import type { ComponentChildren } from 'preact';

import { settings } from '../settings.ts';

interface ButtonProps {
  children: ComponentChildren;
  onClick: () => void;
  /** Label of the shortcut's keycap. */
  cap?: string;
  /** Name of the key for assistive technology, if not the keycap's label. */
  keyName?: string;
  pressed?: boolean;
  disabled?: boolean;
  /** `aria-disabled`; unlike a disabled button it keeps the focus. */
  idle?: boolean;
  /** Accessible name, if not the visible text. */
  label?: string;
  class?: string;
  controls?: string;
  /** Id of the describing element. */
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
