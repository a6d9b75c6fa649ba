/** Canvas element and its size in display pixels. */

import type { Size } from './worker-or-main-thread.ts';

/**
 * Overlays `place` with a canvas that does not affect the layout: `place` alone decides the size.
 */
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
 * Calls `onSize` with the size now and on every change, including page zoom and moving to another
 * display. Returns a function that stops it.
 */
export function watchSize(canvas: HTMLCanvasElement, onSize: (size: Size) => void): () => void {
  let last = '';
  const report = (size: Size): void => {
    const now = Object.values(size).join();
    if (now !== last) onSize(size);
    last = now;
  };
  const observer = new ResizeObserver((entries) => {
    for (const entry of entries) report(sizeOf(canvas, entry));
  });
  try {
    observer.observe(canvas, { box: 'device-pixel-content-box' });
  } catch {
    observer.observe(canvas);
  }
  report(sizeOf(canvas));

  // Without device-pixel-content-box support, a change of the pixel ratio alone is not observed.
  const stop = new AbortController();
  const watchRatio = (): void => {
    matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener(
      'change',
      () => {
        report(sizeOf(canvas));
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
 * At a ratio of 1.25 the browser may lay out the same CSS length as 837 or 838 pixels, depending on
 * its offset; only the observed box has the exact value. A canvas that is off by one pixel is
 * blurred as a whole. Under an emulated ratio the observed box reports the physical one and is
 * ignored.
 */
function pixelsOf(length: number, observed: number | undefined): number {
  const expected = length * devicePixelRatio;
  const isTrusted = observed !== undefined && Math.abs(observed - expected) < 1.5;
  return Math.max(1, isTrusted ? observed : Math.round(expected));
}
