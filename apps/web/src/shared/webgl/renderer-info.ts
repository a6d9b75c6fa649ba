/** Name of the WebGL renderer, and how many pixels it can draw. */

/** Pixel limit for software renderers. */
const MAX_SOFTWARE_PIXELS = 900_000;
const SOFTWARE = /swiftshader|llvmpipe|software|basic render/i;

/**
 * Queried on a temporary canvas, because the result decides how the stage's own canvas is created;
 * null without WebGL2.
 */
export function rendererName(): string | null {
  const canvas = typeof OffscreenCanvas === 'function' ? new OffscreenCanvas(1, 1) : document.createElement('canvas');
  const gl = canvas.getContext('webgl2') as WebGL2RenderingContext | null;
  if (gl === null) return null;
  const names = gl.getExtension('WEBGL_debug_renderer_info');
  const name = String(gl.getParameter(names === null ? gl.RENDERER : names.UNMASKED_RENDERER_WEBGL));
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return name;
}

export function isSoftwareRenderer(drawer: string): boolean {
  return SOFTWARE.test(drawer);
}

/** Drawing-buffer size for a canvas of this size, optionally reduced by `share` along each side. */
export function drawingBufferSize(width: number, height: number, inSoftware: boolean, share = 1): [width: number, height: number] {
  const total = width * height;
  const scale = share * (inSoftware && total > MAX_SOFTWARE_PIXELS ? Math.sqrt(MAX_SOFTWARE_PIXELS / total) : 1);
  return [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
}
