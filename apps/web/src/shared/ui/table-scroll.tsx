/**
 * Scroll container of a table.
 *
 * A table wider than its place scrolls in its own box, by wheel, touch or keys; a shadow marks the
 * edge where more is hidden. A table that fits is not focusable.
 */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface TableScrollProps {
  label: string;
  children: ComponentChildren;
  /** Limits the height: long tables also scroll vertically, under a sticky header. */
  tall?: boolean;
}

/** Browsers round scroll offsets to display pixels. */
const ROUNDING = 1.5;

export function TableScroll({ label, children, tall }: TableScrollProps) {
  const box = useRef<HTMLDivElement>(null);
  const hidden = useSignal<readonly string[]>([]);
  // A layout effect: passive effects run in a timer, which a busy page delays by many frames.
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) {
      return;
    }
    const look = (): void => {
      const now = hiddenSides(element);
      if (now.join() !== hidden.peek().join()) {
        hidden.value = now;
      }
    };
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    for (const child of element.children) {
      sizes.observe(child);
    }
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, []);
  const canScroll = hidden.value.length > 0;
  return (
    <div class="table-place" data-more={hidden.value.join(' ')}>
      <div
        ref={box}
        class={tall === true ? 'table-scroll tall' : 'table-scroll'}
        role="region"
        aria-label={label}
        tabIndex={canScroll ? 0 : undefined}
      >
        {children}
      </div>
    </div>
  );
}

function hiddenSides(box: HTMLElement): string[] {
  const { scrollLeft, scrollTop, scrollWidth, scrollHeight, clientWidth, clientHeight } = box;
  const sides = {
    left: scrollLeft > ROUNDING,
    right: scrollLeft + clientWidth < scrollWidth - ROUNDING,
    above: scrollTop > ROUNDING,
    below: scrollTop + clientHeight < scrollHeight - ROUNDING,
  };
  return Object.entries(sides).flatMap(([side, isHidden]) => (isHidden ? [side] : []));
}
