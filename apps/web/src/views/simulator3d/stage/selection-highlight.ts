/**
 * Highlight of the selected body.
 *
 * A thick outline, visible through other bodies, with a rim that contrasts with any color. A
 * stencil mask excludes the body's own silhouette.
 */
import type { Program, Uniforms } from '../../../shared/webgl/gl.ts';
import type { GlColor } from '../../../shared/webgl/gl-color.ts';

/** CSS pixels outwards from the body: the line, and the line with its rim. */
const [LINE, RIM] = [3.5, 5];
const MASKED = 1;
const ALL_BITS = 0xff;

/** `draw` draws the body; `shared` holds pose and camera uniforms. */
export function drawHighlight(gl: WebGL2RenderingContext, outline: Program, shared: Uniforms, glColors: { line: GlColor; rim: GlColor }, draw: () => void): void {
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
  for (const [width, glColor] of [[RIM, glColors.rim], [LINE, glColors.line]] as const) {
    outline.use({ width, color: glColor });
    draw();
  }
  gl.disable(gl.STENCIL_TEST);
  gl.enable(gl.DEPTH_TEST);
}
