/** What draws in three dimensions here, and how much may be asked of it? */

/** Where there is no GPU, more pixels than this are too many. */
const MOST_SOFTWARE_PIXELS = 900_000;
const SOFTWARE = /swiftshader|llvmpipe|software|basic render/i;

/** Its name, if anything draws: asked of another canvas, because the answer shapes our own. */
export function nameOfDrawer(): string | null {
  const canvas = typeof OffscreenCanvas === 'function' ? new OffscreenCanvas(1, 1) : document.createElement('canvas');
  const gl = canvas.getContext('webgl2') as WebGL2RenderingContext | null;
  if (gl === null) return null;
  const names = gl.getExtension('WEBGL_debug_renderer_info');
  const name = String(gl.getParameter(names === null ? gl.RENDERER : names.UNMASKED_RENDERER_WEBGL));
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return name;
}

export function isSoftware(drawer: string): boolean {
  return SOFTWARE.test(drawer);
}

/** How many pixels to draw of so many that are there; or a share of these, along each side. */
export function pixelsToDraw(width: number, height: number, inSoftware: boolean, share = 1): [width: number, height: number] {
  const asked = width * height;
  const scale = share * (inSoftware && asked > MOST_SOFTWARE_PIXELS ? Math.sqrt(MOST_SOFTWARE_PIXELS / asked) : 1);
  return [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
}
