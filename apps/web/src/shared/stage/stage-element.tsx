/**
 * Stage element: for assistive technology an application, because it takes the focus and keys of its
 * own, with an up-to-date description.
 */
import { useSignal, useSignalEffect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';

import { language } from '../i18n/translate.ts';
import { handleKey } from '../keys.ts';
import { throttle } from '../throttle.ts';

/** A description that changed more often would never be read to its end. */
const DESCRIPTION_MS = 2000;

interface StageElementProps {
  label: string;
  describe: () => string;
  /** Mounts the stage in the element; returns a function that unmounts it. */
  open: (element: HTMLElement) => () => void;
  /** Text over the stage. */
  note: string | null;
  /** Height over width. */
  ratio: number;
  /** Overlay content. */
  children?: ComponentChildren;
}

export function StageElement({ label, describe, open, note, ratio, children }: StageElementProps) {
  const place = useRef<HTMLDivElement>(null);
  const description = useSignal('');
  const renew = useMemo(() => throttle(DESCRIPTION_MS, (text: string) => (description.value = text)), []);
  const described = useRef(language.peek());
  useSignalEffect(() => {
    const text = describe();
    renew(text);
    // A text in another language than the page's would not be understood.
    if (described.current !== language.value) description.value = text;
    described.current = language.value;
  });
  useEffect(() => (place.current === null ? undefined : open(place.current)), []);
  return (
    <div class="stage-frame">
      <div
        ref={place}
        class="stage"
        role="application"
        tabIndex={0}
        aria-label={label}
        aria-describedby="stage-description"
        style={{ '--ratio': String(ratio) }}
        onKeyDown={handleKey}
      />
      {note !== null && <p class="stage-note small">{note}</p>}
      {children}
      <p id="stage-description" class="visually-hidden">
        {description}
      </p>
    </div>
  );
}
