/** How large is the canvas, to the pixel of the display? */

import type { Size } from './runners.ts';

/** Lays a canvas over `place`. It takes no part in the layout: `place` alone decides the size. */
export function fillWithCanvas(place: HTMLElement): HTMLCanvasElement {
  const canvas = place.ownerDocument.createElement('canvas');
  Object.assign(canvas.style, {
    position: 'absolute',
    inset: '0',
    width: '100%',
    height: '100%',
    display: 'block',
  });
  place.append(canvas);
  return canvas;
}

/**
 * Tells the size now and whenever it changes, zooming of the page and moving to another display
 * included. Returns how to stop.
 */
export function watchSize(canvas: HTMLCanvasElement, told: (size: Size) => void): () => void {
  let last = '';
  const tell = (size: Size): void => {
    const now = Object.values(size).join();
    if (now !== last) told(size);
    last = now;
  };
  const observer = new ResizeObserver((entries) => {
    for (const entry of entries) tell(sizeOf(canvas, entry));
  });
  try {
    observer.observe(canvas, { box: 'device-pixel-content-box' });
  } catch {
    observer.observe(canvas);
  }
  tell(sizeOf(canvas));

  // Where the box in display pixels is not offered, a change of ratio alone is not observed.
  const stop = new AbortController();
  const watchRatio = (): void => {
    matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener(
      'change',
      () => {
        tell(sizeOf(canvas));
        watchRatio();
      },
      { once: true, signal: stop.signal },
    );
  };
  watchRatio();
  return () => {
    stop.abort();
    observer.disconnect();
  };
}

function sizeOf(canvas: HTMLCanvasElement, entry?: ResizeObserverEntry): Size {
  const { width, height } = canvas.getBoundingClientRect();
  const exact = entry?.devicePixelContentBoxSize?.[0];
  return {
    width,
    height,
    pixelWidth: pixelsOf(width, exact?.inlineSize),
    pixelHeight: pixelsOf(height, exact?.blockSize),
  };
}

/**
 * At a ratio of 1.25 the browser may lay the same CSS length over 837 or 838 pixels, depending on
 * where it begins; only the observed box knows. A canvas that is off by one is blurred as a whole.
 * Where a browser pretends to have another ratio, its box tells the true one: not to be believed.
 */
function pixelsOf(length: number, observed: number | undefined): number {
  const asked = length * devicePixelRatio;
  const believed = observed !== undefined && Math.abs(observed - asked) < 1.5;
  return Math.max(1, believed ? observed : Math.round(asked));
}
