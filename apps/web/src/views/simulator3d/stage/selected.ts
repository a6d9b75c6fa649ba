/**
 * How is the selected body marked?
 *
 * By a thick line around all of it, over its neighbours too, with a rim that tells it from whatever colour lies beside. Its own
 * silhouette is left out of both: a mask says where that is.
 */
import type { Program, Uniforms } from '../../../shared/stage/gl.ts';
import type { Ink } from '../../../shared/stage/ink.ts';

/** CSS pixels, from the body outwards: the line, and the line with its rim. */
const [LINE, RIM] = [3.5, 5];
const MASKED = 1;
const ALL_BITS = 0xff;

/** `draw` draws the body; `shared` is where it is and from where it is seen. */
export function markSelected(gl: WebGL2RenderingContext, outline: Program, shared: Uniforms, inks: { line: Ink; rim: Ink }, draw: () => void): void {
  gl.disable(gl.DEPTH_TEST);
  gl.enable(gl.STENCIL_TEST);
  gl.colorMask(false, false, false, false);
  gl.stencilFunc(gl.ALWAYS, MASKED, ALL_BITS);
  gl.stencilOp(gl.KEEP, gl.KEEP, gl.REPLACE);
  outline.use({ ...shared, width: 0 });
  draw();
  gl.colorMask(true, true, true, true);
  gl.stencilFunc(gl.NOTEQUAL, MASKED, ALL_BITS);
  gl.stencilOp(gl.KEEP, gl.KEEP, gl.KEEP);
  for (const [width, ink] of [[RIM, inks.rim], [LINE, inks.line]] as const) {
    outline.use({ width, ink });
    draw();
  }
  gl.disable(gl.STENCIL_TEST);
  gl.enable(gl.DEPTH_TEST);
}
